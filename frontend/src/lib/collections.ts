// Names of collections, for every page.
import { t } from "./texts.ts";

export function collectionName(name: string): string {
  return name === "default" ? t("Shared documents") : name;
}
