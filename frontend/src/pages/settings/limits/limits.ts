// Limits as fields of a form.
import type { LimitShape } from "$lib/api.ts";
import { N_, plural, t } from "$lib/texts.ts";

const MICRODOLLARS = 1_000_000;

/** A limit that the form offers, with its unit. */
export interface LimitField {
  subject: LimitShape["subject"];
  resource: LimitShape["resource"];
  window: number;
  label: string;
  /** How many of the API's units are one of the form's. */
  unit: number;
}

const MINUTE = 60;
const DAY = 86_400;
const MONTH = 30 * DAY;

export const GROUPS: {
  title: string;
  about: string;
  subject: LimitShape["subject"];
  fields: LimitField[];
}[] = [
  {
    title: N_("Each member"),
    about: N_("So that one person or program cannot use up everything."),
    subject: "user",
    fields: [
      field("user", "requests", MINUTE, N_("Requests per minute")),
      field("user", "tokens", DAY, N_("Tokens per day")),
      field("user", "microdollars", DAY, N_("Cost per day, in US dollars")),
      field("user", "microdollars", MONTH, N_("Cost per 30 days, in US dollars")),
    ],
  },
  {
    title: N_("Each API key"),
    about: N_("For all people together whom a program serves with the key."),
    subject: "key",
    fields: [
      field("key", "requests", MINUTE, N_("Requests per minute")),
      field("key", "tokens", DAY, N_("Tokens per day")),
      field("key", "microdollars", DAY, N_("Cost per day, in US dollars")),
    ],
  },
  {
    title: N_("The whole organisation"),
    about: N_("The budget. When it is used up, answers are quotations until it is free again."),
    subject: "tenant",
    fields: [
      field("tenant", "requests", MINUTE, N_("Requests per minute")),
      field("tenant", "tokens", DAY, N_("Tokens per day")),
      field("tenant", "microdollars", DAY, N_("Cost per day, in US dollars")),
      field("tenant", "microdollars", MONTH, N_("Cost per 30 days, in US dollars")),
    ],
  },
];

function field(
  subject: LimitField["subject"],
  resource: LimitField["resource"],
  window: number,
  label: string,
): LimitField {
  return { subject, resource, window, label, unit: resource === "microdollars" ? MICRODOLLARS : 1 };
}

export const FIELDS = GROUPS.flatMap((group) => group.fields);

export const keyOf = (limit: { subject: string; resource: string; window: number }): string =>
  `${limit.subject}/${limit.resource}/${limit.window}`;

/** Return the values of the form by field; empty where there is no limit. */
export function valuesOf(limits: LimitShape[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const each of FIELDS) {
    const found = limits.find(
      (limit) =>
        limit.subject === each.subject &&
        limit.resource === each.resource &&
        limit.window_seconds === each.window,
    );
    values[keyOf(each)] = found ? String(found.most / each.unit) : "";
  }
  return values;
}

/** Return the limits of the form, with those of other windows as they were. */
export function limitsOf(values: Record<string, string>, before: LimitShape[]): LimitShape[] {
  const known = new Set(FIELDS.map(keyOf));
  const others = before.filter((limit) => !known.has(keyOf({ ...limit, window: limit.window_seconds })));
  const own = FIELDS.flatMap((each): LimitShape[] => {
    const value = Number(values[keyOf(each)]);
    if (!values[keyOf(each)]?.trim() || !(value > 0)) return [];
    return [
      {
        subject: each.subject,
        resource: each.resource,
        window_seconds: each.window,
        most: Math.max(1, Math.round(value * each.unit)),
      },
    ];
  });
  return [...own, ...others];
}

/** Return the first field that cannot be read, in words; empty if all can. */
export function wrong(values: Record<string, string>): string {
  const bad = FIELDS.find((each) => {
    const text = values[keyOf(each)]?.trim() ?? "";
    return text !== "" && !(Number(text) > 0);
  });
  return bad ? t("{field}: enter a number above 0, or nothing for no limit.", { field: t(bad.label) }) : "";
}

const RESOURCES = { requests: N_("requests"), tokens: N_("tokens"), microdollars: N_("US dollars") };
const SUBJECTS = { user: N_("Each member"), key: N_("Each API key"), tenant: N_("The whole organisation") };

/** Return a limit as a sentence. */
export function limitText(limit: LimitShape): string {
  const amount = limit.resource === "microdollars" ? limit.most / MICRODOLLARS : limit.most;
  return t("{subject}: {amount} {resource} in {window}", {
    subject: t(SUBJECTS[limit.subject]),
    amount: amount.toLocaleString(),
    resource: t(RESOURCES[limit.resource]),
    window: windowText(limit.window_seconds),
  });
}

export function windowText(seconds: number): string {
  if (seconds % DAY === 0) return plural("1 day", "{count} days", seconds / DAY);
  if (seconds % 3600 === 0) return plural("1 hour", "{count} hours", seconds / 3600);
  if (seconds % 60 === 0) return plural("1 minute", "{count} minutes", seconds / 60);
  return plural("1 second", "{count} seconds", seconds);
}

/** Return the limits that the form has no field for. */
export function unshown(limits: LimitShape[]): LimitShape[] {
  const known = new Set(FIELDS.map(keyOf));
  return limits.filter((limit) => !known.has(keyOf({ ...limit, window: limit.window_seconds })));
}
