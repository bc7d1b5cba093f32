import { expect, test } from "vitest";
import { expiry, keyState } from "./keys.ts";

const now = new Date("2026-11-17T00:00:00Z");

test("a key ends when it is revoked or its time is over", () => {
  expect(keyState({ revoked_at: null, expires_at: null }, now)).toBe("valid");
  expect(keyState({ revoked_at: null, expires_at: "2026-11-16T00:00:00Z" }, now)).toBe("expired");
  expect(keyState({ revoked_at: "2026-11-01T00:00:00Z", expires_at: null }, now)).toBe("revoked");
});

test("a period of no days has no end", () => {
  expect(expiry(0, now)).toBeNull();
  expect(expiry(30, now)).toBe("2026-12-17T00:00:00.000Z");
});
