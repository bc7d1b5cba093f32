// Code for a website, and the states of the steps to set a channel up.
import type { KeyView } from "$lib/api.ts";
import { keyState } from "../keys/keys.ts";

export function embedCode(origin: string): string {
  return `<script src="${origin}/widget.js" data-token-url="/saegim-token" defer></${"script"}>`;
}

export function backendCode(origin: string): string {
  return `@app.get("/saegim-token")
async def saegim_token(user: SignedInUser) -> dict[str, str]:
    response = await http.post(
        "${origin}/v1/tokens",
        json={"origins": ["https://www.example.com"]},
        headers={"Authorization": f"Bearer {SAEGIM_KEY}", "Saegim-User": user.id},
    )
    return {"token": response.json()["secret"]}`;
}

export function discordCode(origin: string): string {
  return `export SAEGIM_KEY="sgm_…"
export SAEGIM_DISCORD_TOKEN="…"
saegim discord --url ${origin}`;
}

/** Return the keys that only issue tokens, and when the last of them was used. */
export function tokenKeys(keys: KeyView[], now = new Date()): { count: number; used: string | null } {
  const valid = keys.filter((key) => key.role === "minter" && keyState(key, now) === "valid");
  const used = valid
    .map((key) => key.used_at)
    .filter((each) => each !== null)
    .sort();
  return { count: valid.length, used: used.at(-1) ?? null };
}
