"""What is kept, for how long, under which keys; and what is given back or erased."""

from dataclasses import dataclass
from datetime import timedelta

from saegim.adapters.keyring.rotation import Rotation
from saegim.adapters.postgres.erasure import ErasureParts, PostgresErasure
from saegim.adapters.postgres.expiry import PostgresExpiry
from saegim.adapters.postgres.export import PostgresExport
from saegim.adapters.postgres.outbox import Outbox
from saegim.adapters.postgres.reseal import Resealing
from saegim.adapters.postgres.retention import PostgresTranscripts
from saegim.adapters.postgres.webhooks import PostgresWebhooks
from saegim.adapters.redis.erasure import RedisErasure
from saegim.bootstrap import configured
from saegim.bootstrap.access import AccessServices
from saegim.bootstrap.configured import Engine
from saegim.bootstrap.ground import Fakes, Ground, KeyTimes
from saegim.bootstrap.library import LibraryServices
from saegim.bootstrap.memory import MemoryServices
from saegim.governance.erasure import ErasedPlaces, Erasures, ErasureTimes
from saegim.governance.export import Exports
from saegim.governance.retention import Retention
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
    engines: list[Engine],
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
    sender, keep = configured.sender(on.settings), configured.kept(on.settings)
    engines.append(sender)
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
        retention=Retention(PostgresTranscripts(cells, queue), expiry, clock, keep),
        webhooks=Webhooks(PostgresWebhooks(cells, keyring, queue, clock), sender, clock),
    )
