// Where a passage is in its file, in words, and where the file is.
import type { LocatorView } from "./api.ts";
import { t } from "./texts.ts";

/** Return the page, slide or row of a passage; nothing for a file without any. */
export function placeText(locator: LocatorView | null | undefined): string {
  if (!locator) return "";
  const { page, slide, sheet, row, last } = locator;
  if (page != null && last != null) return t("pages {page}–{last}", { page, last });
  if (slide != null && last != null) return t("slides {slide}–{last}", { slide, last });
  if (page != null) return t("page {page}", { page });
  if (slide != null) return t("slide {slide}", { slide });
  if (sheet != null && row != null) return t("sheet “{sheet}”, row {row}", { sheet, row });
  if (sheet != null) return t("sheet “{sheet}”", { sheet });
  return row == null ? "" : t("row {row}", { row });
}

type Kept = { id: string; document_id: string; has_original: boolean };

/** Return the address of the file of a document. */
export const originalAddress = (document: { id: string }): string => `/v1/documents/${document.id}/original`;

/** Return the address at which browsers show a page of a PDF; nothing for other files. */
export function pageAddress(document: Kept, locator: LocatorView | null | undefined): string | undefined {
  if (!document.has_original || !/\.pdf(#\d+)?$/i.test(document.document_id)) return undefined;
  return `${originalAddress(document)}?inline=true${locator?.page == null ? "" : `#page=${locator.page}`}`;
}
