import { expect, test } from "vitest";
import { connectionBody, missing, type ConnectionFields } from "./providers.ts";

const fields = (values: Partial<ConnectionFields>): ConnectionFields => ({
  provider: "openai",
  address: "",
  key: "",
  model: "",
  name: "",
  ...values,
});

test("each provider asks only for what it needs", () => {
  expect(missing(fields({}))).toBe("Enter the key.");
  expect(missing(fields({ key: "sk-1" }))).toBe("");
  expect(missing(fields({ provider: "ollama" }))).toBe("Choose a model.");
  expect(missing(fields({ provider: "ollama", model: "qwen3:8b" }))).toBe("");
  expect(missing(fields({ provider: "openai-compatible", model: "m" }))).toBe("Enter the address.");
  // A stored connection keeps its key and models.
  expect(missing(fields({ id: "c1" }))).toBe("");
});

test("empty fields are left to the server's defaults", () => {
  expect(connectionBody(fields({ key: " sk-1 " }))).toEqual({
    provider: "openai",
    base_url: null,
    api_key: "sk-1",
    model: null,
    name: null,
    connection_id: null,
    without_tools: null,
  });
});
