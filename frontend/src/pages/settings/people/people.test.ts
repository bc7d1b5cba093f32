import { expect, test } from "vitest";
import type { MemberView } from "$lib/api.ts";
import { looksLikeEmail, matching } from "./people.ts";

const member = (name: string, values: Partial<MemberView> = {}) =>
  ({
    member_id: name,
    name,
    role: "member",
    groups: [],
    disabled: false,
    created_at: "",
    ...values,
  }) as MemberView;

test("every word of the search must be in the name, e-mail, role or groups", () => {
  const members = [
    member("Kim Hana", { email: "hana@example.com", groups: ["sales"] } as Partial<MemberView>),
    member("Kim Bora", { role: "editor" }),
  ];
  expect(matching(members, "kim sales").map((each) => each.name)).toEqual(["Kim Hana"]);
  expect(matching(members, "EDITOR").map((each) => each.name)).toEqual(["Kim Bora"]);
  expect(matching(members, "hana@").length).toBe(1);
  expect(matching(members, " ").length).toBe(2);
});

test("an e-mail address has a name, an at sign and a domain", () => {
  expect(looksLikeEmail(" kim@example.com ")).toBe(true);
  expect(looksLikeEmail("kim@example")).toBe(false);
  expect(looksLikeEmail("kim example.com")).toBe(false);
});
