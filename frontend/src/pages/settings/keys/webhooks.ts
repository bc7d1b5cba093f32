// Events of webhooks and states of deliveries in words.
import type { DeliveryView, NewWebhook } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

type EventName = NewWebhook["events"][number];

const EVENTS: Record<EventName | "ping", string> = {
  "turn.done": N_("A question was answered"),
  "turn.unanswered": N_("A question stayed unanswered"),
  "turn.handed_off": N_("Somebody asked for a person"),
  "ingest.done": N_("An upload was read"),
  "erasure.done": N_("A person was erased"),
  ping: N_("Test"),
};

export const EVENT_NAMES = (Object.keys(EVENTS) as (EventName | "ping")[]).filter(
  (name): name is EventName => name !== "ping",
);

export const eventName = (name: EventName | "ping"): string => t(EVENTS[name]);

/** Return what became of a delivery, as a sentence. */
export function deliveryText(delivery: Pick<DeliveryView, "state" | "status" | "attempts">): string {
  if (delivery.state === "delivered") return t("Delivered");
  const answer =
    delivery.status === null
      ? t("No answer")
      : t("The address answered with status {status}", { status: delivery.status });
  if (delivery.state === "waiting") {
    return delivery.attempts === 0 ? t("On its way") : t("{answer}; tries again", { answer });
  }
  return t("{answer}; gave up after {attempts} attempts", { answer, attempts: delivery.attempts });
}
