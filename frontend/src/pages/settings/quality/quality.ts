// Outcomes of questions in words.
import { N_, t } from "$lib/texts.ts";

const OUTCOMES: Record<string, string> = {
  answered: N_("Answered"),
  search_mode: N_("Only quotations"),
  nothing_ready: N_("No documents ready"),
  nothing_found: N_("Nothing found"),
  tools_failed: N_("A tool failed"),
  abstained: N_("Not enough evidence"),
  failed: N_("Failed"),
  incomplete: N_("Incomplete"),
};

export const outcomeName = (outcome: string): string => t(OUTCOMES[outcome] ?? N_("Not answered"));
