// Figures of usage: every day of a range, sums, shares, and the scale of a chart.
import type { DayView, ShareView } from "$lib/api.ts";

export interface Day {
  day: string;
  turns: number;
  unanswered: number;
  tokens: number;
  cost: number | null;
  slowest: number;
}

/** Return every day of the range, with zeroes where nothing happened, oldest first. The days are of
 * the reader's time zone, in which it may be tomorrow already. */
export function everyDay(days: DayView[], count: number, today: Date = new Date()): Day[] {
  const byDay = new Map(days.map((each) => [each.day, each]));
  const newest = days.map((each) => each.day).reduce((one, other) => (one > other ? one : other), "");
  const last = newest > isoDay(today) ? new Date(`${newest}T00:00`) : today;
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(last.getFullYear(), last.getMonth(), last.getDate() - (count - 1 - index));
    const day = isoDay(date);
    const found = byDay.get(day);
    return {
      day,
      turns: found?.turns ?? 0,
      unanswered: found?.unanswered ?? 0,
      tokens: (found?.input_tokens ?? 0) + (found?.output_tokens ?? 0),
      cost: found ? found.cost_usd : 0,
      slowest: found?.p95_ms ?? 0,
    };
  });
}

export function isoDay(date: Date): string {
  const part = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** Return the sum, or null if a part is not known. */
export function sum(values: (number | null)[]): number | null {
  return values.some((each) => each === null)
    ? null
    : values.reduce<number>((all, each) => all + (each ?? 0), 0);
}

export interface Share {
  name: string;
  turns: number;
  tokens: number;
  cost: number | null;
}

/** Return the shares with their names, largest first. */
export function named(shares: ShareView[], nameOf: (share: ShareView) => string): Share[] {
  return shares
    .map((share) => ({
      name: nameOf(share),
      turns: share.turns,
      tokens: share.input_tokens + share.output_tokens,
      cost: share.cost_usd,
    }))
    .sort((one, other) => other.tokens - one.tokens || other.turns - one.turns);
}

/** Return round values for an axis from 0, the last of which is at least the highest value. */
export function ticks(highest: number, whole = true): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const size = whole ? Math.max(1, Math.ceil(step)) : step;
  const count = Math.ceil(highest / size - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(12)));
}
