// Dates and numbers in the language of the page.
import { currentLanguage, t } from "./texts.ts";

const DAY = 86_400_000;

const locale = () => (currentLanguage() === "ko" ? "ko-KR" : "en-US");

/** Return the date, without the year if it is this year. */
export function shortDate(time: string | Date, now = new Date()): string {
  const date = new Date(time);
  const sameYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(locale(), {
    month: "short",
    day: "numeric",
    ...(sameYear ? {} : { year: "numeric" }),
  });
}

export function dateTime(time: string | Date): string {
  return new Date(time).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** Return "3 minutes ago" for the last week, else the date. */
export function ago(time: string | Date, now = new Date()): string {
  const seconds = (new Date(time).getTime() - now.getTime()) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const past = Math.abs(seconds);
  if (past < 60) return t("just now");
  if (past < 3600) return format.format(Math.round(seconds / 60), "minute");
  if (past < 86_400) return format.format(Math.round(seconds / 3600), "hour");
  if (past < 7 * 86_400) return format.format(Math.round(seconds / 86_400), "day");
  return shortDate(time, now);
}

/** Return the heading under which a list by date shows a time: today, yesterday, last 7 days … */
export function dateGroup(time: string | Date, now = new Date()): string {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const date = new Date(time);
  const at = date.getTime();
  if (at >= start) return t("Today");
  if (at >= start - DAY) return t("Yesterday");
  if (at >= start - 7 * DAY) return t("Last 7 days");
  if (at >= start - 30 * DAY) return t("Last 30 days");
  return date.toLocaleDateString(locale(), { year: "numeric", month: "long" });
}

export function number(value: number): string {
  return value.toLocaleString(locale());
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let at = 0;
  let left = value;
  while (left >= 1000 && at < units.length - 1) {
    left /= 1000;
    at += 1;
  }
  return `${left.toLocaleString(locale(), { maximumFractionDigits: left < 10 && at > 0 ? 1 : 0 })} ${units[at]}`;
}

/** Return an amount in US dollars; a dash if the price is not known. */
export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const digits = value > 0 && value < 0.01 ? 5 : 2;
  return value.toLocaleString(locale(), {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: digits,
  });
}
