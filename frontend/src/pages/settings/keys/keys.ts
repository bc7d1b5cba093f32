// What a key is for, and whether it is still valid.
import type { KeyView, Role } from "$lib/api.ts";
import { boot } from "$lib/boot.svelte.ts";

export type KeyState = "valid" | "expired" | "revoked";

export function keyState(key: Pick<KeyView, "revoked_at" | "expires_at">, now = new Date()): KeyState {
  if (key.revoked_at !== null) return "revoked";
  return key.expires_at !== null && new Date(key.expires_at) <= now ? "expired" : "valid";
}

/** Return the end of a period of days, or null for none. */
export function expiry(days: number, now = new Date()): string | null {
  return days > 0 ? new Date(now.getTime() + days * 86_400_000).toISOString() : null;
}

/** Return the roles that the user may give to keys; others would be refused. */
export const keyRoles = (): Role[] => boot().me.grantable_key_roles;

/** Return the roles that the user may give to people. */
export const rolesOfPeople = (): Role[] => boot().me.grantable_roles;
