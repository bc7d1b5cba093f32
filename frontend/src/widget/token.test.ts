import { afterEach, describe, expect, it, vi } from "vitest";
import { Token, TokenRefused } from "./token.ts";

const answers = (...responses: (Response | Error)[]) => {
  const fetched = vi.fn(async () => {
    const next = responses.shift();
    if (next instanceof Error || !next) throw next ?? new Error("no more answers");
    return next;
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
};
const minted = (token: string) => new Response(JSON.stringify({ token }));

describe("the token of the host", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is requested once and kept", async () => {
    const fetched = answers(minted("one"));
    const token = new Token("/token");
    expect(await Promise.all([token.get(), token.get()])).toEqual(["one", "one"]);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("is requested again after a failure", async () => {
    answers(new Response("", { status: 403 }), new TypeError("offline"), minted("two"));
    const token = new Token("/token");
    await expect(token.get()).rejects.toMatchObject({ status: 403 });
    await expect(token.get()).rejects.toMatchObject({ status: 0 });
    expect(await token.get()).toBe("two");
  });

  it("refuses an answer without a token", async () => {
    answers(new Response("<html>"), new Response("{}"));
    const token = new Token("/token");
    await expect(token.get()).rejects.toBeInstanceOf(TokenRefused);
    await expect(token.get()).rejects.toBeInstanceOf(TokenRefused);
  });
});
