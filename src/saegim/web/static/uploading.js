// Files into the library: sent one by one, then followed until they can be found.

const POLL_MS = 500;

/** Sends files into a collection, or as one's own where it is null; `tell(name, {state, percent, over, error, document})` hears of each one's way. */
export async function follow(api, files, collection, tell) {
  if (!files.length) return;
  let ingest;
  try {
    ingest = await api.json("POST", "/v1/ingests", collection === null ? { own: true } : { collection });
    for (const file of files) {
      tell(file.name, { state: "receiving", percent: 0, over: false });
      await api.send("PUT", `/v1/ingests/${ingest.ingest_id}/files/${encodeURIComponent(file.name.normalize("NFC"))}`, { raw: file });
    }
  } catch (error) {
    for (const file of files) tell(file.name, { state: "failed", percent: 0, over: true, error: error.message });
    return;
  }
  while (true) {
    const found = await api.json("GET", `/v1/ingests/${ingest.ingest_id}`);
    for (const file of found.files) tell(file.name, progress(file));
    if (found.over) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function progress(file) {
  const over = ["done", "failed", "cancelled"].includes(file.state);
  const share = file.passages ? file.stored / file.passages : 0.05;
  return { ...file, percent: over ? 100 : Math.round(100 * Math.min(0.99, share)), over, error: file.message };
}
