// Kinds of background work in words.
import { N_, t } from "$lib/texts.ts";

const KINDS: Record<string, string> = {
  clean_up: N_("Clean up"),
  extract: N_("Read a conversation for memories"),
  consolidate: N_("Summarise old memories"),
  synthesise: N_("Draw conclusions from memories"),
  summarise: N_("Summarise a conversation"),
  index_episode: N_("Index a conversation"),
  watch_turn: N_("Finish an answer"),
  ingest_file: N_("Read a file"),
  sync_index: N_("Update the search index"),
  rebuild_index: N_("Rebuild the search index"),
  reseal: N_("Change encryption keys"),
  erase: N_("Erase a person"),
  seal_audit: N_("Seal the audit trail"),
  reembed: N_("Compute embeddings again"),
  drop_index: N_("Remove an old search index"),
  maintain_index: N_("Maintain the search index"),
  sync_source: N_("Read a source"),
  deliver: N_("Send an event to a webhook"),
  sweep_uploads: N_("Remove unfinished uploads"),
  import_memories: N_("Import memories"),
  title: N_("Name a conversation"),
  evaluate: N_("Run an evaluation"),
};

export const jobName = (kind: string): string => t(KINDS[kind] ?? N_("Other work"));
