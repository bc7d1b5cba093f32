import { expect, test } from "vitest";
import { deliveryText } from "./webhooks.ts";

test("a delivery says what became of it", () => {
  expect(deliveryText({ state: "delivered", status: 200, attempts: 1 })).toBe("Delivered");
  expect(deliveryText({ state: "waiting", status: null, attempts: 0 })).toBe("On its way");
  expect(deliveryText({ state: "waiting", status: 503, attempts: 2 })).toBe(
    "The address answered with status 503; tries again",
  );
  expect(deliveryText({ state: "failed", status: null, attempts: 8 })).toBe(
    "No answer; gave up after 8 attempts",
  );
});
