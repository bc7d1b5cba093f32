"""What is kept, for how long, under which keys; and what is given back or erased."""

from dataclasses import dataclass
from datetime import timedelta

from saegim.app import from_settings
from saegim.app.auth import AccessServices
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Fakes, Ground, KeyTimes
from saegim.app.library import LibraryServices
from saegim.app.memory import MemoryServices
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.encryption.rotation import Rotation
from saegim.governance.erasure.redis import RedisErasure
from saegim.governance.erasure.repository import ErasureParts, PostgresErasure
from saegim.governance.erasure.service import ErasedPlaces, Erasures, ErasureTimes
from saegim.governance.export import Exports
from saegim.governance.export_repository import PostgresExport
from saegim.governance.memory_expiry import PostgresExpiry
from saegim.governance.reencryption import Resealing
from saegim.governance.retention import OldRows, Retention
from saegim.usage.repository import PostgresUsage
from saegim.webhooks.outbox import Outbox
from saegim.webhooks.repository import PostgresWebhooks
from saegim.webhooks.service import Webhooks


@dataclass(frozen=True, kw_only=True)
class KeepingServices:
    """What is kept, for how long, under which keys; and what is given back or erased."""

    rotation: Rotation
    resealing: Resealing
    erasures: Erasures
    exports: Exports
    retention: Retention
    webhooks: Webhooks


def build_keeping(
    on: Ground,
    access: AccessServices,
    memory: MemoryServices,
    library: LibraryServices,
    fakes: Fakes,
    closing: list[Close],
) -> KeepingServices:
    """Keys, erasure, export, retention and webhooks, on the ground."""
    cells, keyring, queue, clock = on.cells, on.keyring, on.queue, on.clock
    times = fakes.key_times or KeyTimes()
    rotation = Rotation(keyring, margin=times.margin)
    erasure = PostgresErasure(
        ErasureParts(
            cells,
            keyring,
            rotation,
            queue,
            RedisErasure(on.redis),
            Outbox(queue, clock),
            access.audit_writer,
        )
    )
    expiry = PostgresExpiry(cells, keyring, memory.records, clock)
    erasure_times = ErasureTimes(
        grace=timedelta(hours=on.settings.erasure_grace_hours),
        backups_for=timedelta(days=on.settings.backup_days),
    )
    old_rows = OldRows(library.ingest_store, memory.import_store, PostgresUsage(cells))
    sender, keep = from_settings.sender(on.settings), from_settings.kept(on.settings)
    closing.append(sender.close)
    return KeepingServices(
        rotation=rotation,
        resealing=Resealing(cells, keyring, rotation, queue, times.last_look),
        erasures=Erasures(
            ErasedPlaces(erasure, access.member_store, library.upkeep),
            clock,
            erasure_times,
            on.grants,
        ),
        exports=Exports(PostgresExport(cells, keyring), access.trail, clock, on.grants),
        retention=Retention(PostgresTranscripts(cells, queue), expiry, old_rows, clock, keep),
        webhooks=Webhooks(PostgresWebhooks(cells, keyring, queue, clock), sender, clock),
    )
