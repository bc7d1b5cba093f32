// Works of models and results of test calls in words; also for the first-run page.
import type { ModelCheckView, ModelFault, ModelRole } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

const MODEL_ROLES: Record<ModelRole, { label: string; about: string }> = {
  lite: { label: N_("Answers"), about: N_("Writes the answers to most questions.") },
  strong: { label: N_("Hard questions"), about: N_("Answers when the first model is not sure enough.") },
  summarizer: { label: N_("Summaries"), about: N_("Keeps long conversations short.") },
  extractor: { label: N_("Memory"), about: N_("Finds what is worth remembering.") },
  assessor: { label: N_("Search"), about: N_("Understands questions and rates what was found.") },
  judge: { label: N_("Evaluation"), about: N_("Scores answers in evaluations.") },
};

const FAULTS: Record<ModelFault, string> = {
  not_configured: N_("No model is set."),
  refused: N_("The model refused to answer."),
  http_error: N_("The provider answered with an error."),
  timeout: N_("The provider did not answer in time."),
  broken_output: N_("The model answered in a form that cannot be used. Choose a more capable model."),
  empty_output: N_("The model answered with nothing."),
  circuit_open: N_("The provider failed several times and is not asked for a while."),
  limit_reached: N_("A limit or budget is used up."),
  stopped: N_("The call was stopped."),
};

const STATUSES: Record<number, string> = {
  401: N_("The provider does not accept the key."),
  403: N_("The key may not use this model."),
  404: N_("The provider does not know this model or address."),
  429: N_("The provider refuses more requests: its limit or the credit is used up."),
};

export const modelRoleName = (role: ModelRole): string => t(MODEL_ROLES[role].label);
export const aboutModelRole = (role: ModelRole): string => t(MODEL_ROLES[role].about);

/** Return the result of a test call as a sentence. */
export function checkText(check: ModelCheckView): string {
  if (check.ok) return t("Works: answered in {seconds} s.", { seconds: check.seconds.toFixed(1) });
  const status = check.status === null ? undefined : STATUSES[check.status];
  const text = t(status ?? FAULTS[check.fault ?? "http_error"]);
  return check.message ? `${text} ${t("It says: {message}", { message: check.message })}` : text;
}

/** Return the list price of a model, or undefined if it is not known. */
export function priceText(check: ModelCheckView): string | undefined {
  if (check.input_price === null || check.output_price === null) return undefined;
  return t("${input} in, ${output} out per million tokens", {
    input: Number(check.input_price),
    output: Number(check.output_price),
  });
}

/** Return whether a model takes tools in words; empty for a role that writes no answers. */
export function toolsText({ takes_tools: takes }: { takes_tools: boolean | null }): string {
  if (takes === null) return "";
  return takes ? t("Takes tools: yes") : t("Takes tools: no. It answers from what is found beforehand.");
}

/** Return what 1,000 turns cost with the models of these roles; empty if none of them answers. */
export function turnsText(
  roles: { role: ModelRole; model: string | null; usd_per_1000_turns: string | null }[],
): string {
  if (!roles.some(({ role, model }) => model && (role === "lite" || role === "strong"))) return "";
  if (roles.some((each) => each.usd_per_1000_turns === null))
    return t("Cost of 1,000 turns: unknown, as a model has no list price.");
  const usd = roles.reduce((sum, each) => sum + Number(each.usd_per_1000_turns), 0);
  return t("Estimated cost of 1,000 turns: ${usd}", { usd: usd.toFixed(2) });
}

/** Join the checks of one result: a wrong key of six roles is one cause. */
export function checkRows(
  checks: ModelCheckView[],
): { check: ModelCheckView; models: string; roles: string; tools: string }[] {
  const same = new Map<string, ModelCheckView[]>();
  for (const check of checks) {
    const cause = check.ok
      ? ["ok", check.model, priceText(check)]
      : ["", check.fault, check.status, check.message];
    const key = JSON.stringify(cause);
    same.set(key, [...(same.get(key) ?? []), check]);
  }
  return [...same.values()].map((each) => ({
    check: each[0]!,
    models: [...new Set(each.map((one) => one.model))].join(", "),
    roles: each.map((one) => modelRoleName(one.role)).join(", "),
    tools: each.map(toolsText).find(Boolean) ?? "",
  }));
}
