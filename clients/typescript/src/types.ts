// Written by scripts/typescript_types.py from the OpenAPI document. Do not edit.

/** What was done to memory; the trail has one entry for each. */
export type Action = "add" | "confirm" | "supersede" | "contradict" | "revise" | "roll_back" | "pin" | "unpin" | "retain" | "forget" | "undo" | "expire" | "consolidate" | "import" | "consent";

/** Somebody's place in the ranking. */
export interface ActiveView {
  rank: number;
  name: string;
  messages: number;
}

/** Who changed memory. */
export type Actor = "person" | "model" | "fallback" | "rule" | "operator";

/** Answers a turn's message anew, from these documents if any are named. */
export interface AgainBody {
  selected_doc_ids?: string[];
}

/** What the assistant answered. */
export interface AnswerMessage {
  role?: "assistant";
  content: string;
  refusal?: string | null;
}

/** How an assistant routes, searches, answers and gives up. */
export interface AssistantConfig_Input {
  routes?: RouteConfig[];
  document_ids?: string[];
  document_types?: Record<string, string[]>;
  menu_links?: MenuLink_Input[];
  link_hosts?: string[];
  high_risk?: string[];
  thresholds?: Thresholds;
  strict?: boolean;
  tools?: string[] | null;
  offered_to?: string[] | null;
}

/** How an assistant routes, searches, answers and gives up. */
export interface AssistantConfig_Output {
  routes?: RouteConfig[];
  document_ids?: string[];
  document_types?: Record<string, string[]>;
  menu_links?: MenuLink_Output[];
  link_hosts?: string[];
  high_risk?: string[];
  thresholds?: Thresholds;
  strict?: boolean;
  tools?: string[] | null;
  offered_to?: string[] | null;
}

/** What the assistant answered, as `summary`, `refs` and `ref_doc_ids` came back from it. */
export interface AssistantEntry {
  role: "assistant";
  summary: string;
  refs?: string[];
  doc_ids?: string[];
  entities?: Record<string, string> | EntityView[];
}

/** Which version is to answer again. */
export interface AssistantRollbackBody {
  version: number;
}

/** One version of an assistant. */
export interface AssistantVersionView {
  version: number;
  state: VersionState;
  content: ContentBody;
  made_by: string;
  created_at: string;
  published_at: string | null;
}

/** An assistant as it answers now. */
export interface AssistantView {
  assistant_id: string;
  name: string;
  persona: string;
  policy: string;
  locale: "ko" | "en";
  collections: string[];
  offered_to: string[] | null;
}

/** The groups that may read a collection; none means everybody in the tenant. */
export interface AudienceBody {
  audience: string[];
}

/** An event of the audit trail. `on_behalf` is true where somebody else than the person holds or made the credential; `key_made_by` is who made the key. */
export interface AuditEventView {
  event_id: string;
  at: string;
  action: string;
  actor: string;
  actor_id: string | null;
  key_id: string | null;
  key_made_by: string | null;
  origin: string | null;
  on_behalf: boolean;
  member_id: string;
  subject_id: string;
  reason: string;
  sealed_in: number | null;
}

/** An assistant that the caller may have answer; `own` is the credential's, `current` the one of this request. */
export interface AvailableAssistantView {
  assistant_id: string;
  name: string;
  own: boolean;
  current: boolean;
}

/** The tenant's background work; `lag_seconds` is how long its first job has been waiting. */
export interface BacklogView {
  waiting: number;
  running: number;
  lag_seconds: number;
  failed: FailedJobView[];
}

/** One block of a context: what it takes, what it may take, and what it left out. */
export interface BlockView {
  name: string;
  tokens: number;
  budget: number;
  items: number;
  dropped: number;
}

/** What recall brings back. */
export type CandidateKind = "pinned" | "record" | "episode";

/** What recall considered, with its signals and why it was taken or dropped. */
export interface CandidateView {
  kind: CandidateKind;
  id: string;
  text: string;
  said_at: string;
  tokens: number;
  fate: Fate;
  sources: string[];
  score: number;
  lexical: number;
  dense: number;
  recency: number;
  importance: number;
  speaker: number;
  time: number;
}

/** Where a message was said: how to speak there, and what others said around it, oldest first. What others said is read for this answer and stored nowhere, unless it is to be kept. */
export interface ChannelContext {
  instructions?: string;
  messages?: ChannelMessageBody[];
  store_messages?: boolean;
}

/** What somebody else said around the message. */
export interface ChannelMessageBody {
  name: string;
  text: string;
}

/** What holds for the caller in a channel: give `profile` and `instructions` with a message. */
export interface ChannelSettingsView {
  profile: string;
  instructions: string;
  locale: "ko" | "en" | null;
  store_messages: boolean;
  log_channel: string | null;
  user_per_minute: number;
  guild_per_minute: number;
}

/** One message. `chat_history` replaces the session's own recent turns for this one. */
export interface ChatBody {
  message: string;
  session_id?: string | null;
  chat_history?: (UserEntry | AssistantEntry)[] | null;
  selected_doc_ids?: string[];
  stream?: boolean;
  temporary?: boolean;
  chosen_memory_ids?: string[];
  use_memory?: boolean;
  use_pinned?: boolean;
  memory_caps?: MemoryCaps;
  channel_context?: ChannelContext;
}

/** The answer, with what a client needs to bring its own history next time. */
export interface ChatReply {
  turn_id: string;
  session_id: string;
  state: TurnState;
  answer: string;
  summary: string;
  refs: string[];
  ref_doc_ids: string[];
  related_doc_ids?: string[];
  degraded: string[];
  error?: string | null;
  route?: string;
  outcome?: string;
  citations?: CitationView[];
  entities?: Record<string, string>;
}

/** What a marker in the answer points at. */
export interface CitationView {
  marker: string;
  kind: "passage" | "memory" | "turn" | "tool";
  id: string;
  title: string;
  document?: string | null;
  url?: string | null;
  turn?: string | null;
}

/** A code to be said on the channel that is to be linked; used once. */
export interface CodeView {
  code: string;
  expires_at: string;
}

/** A new collection; without an audience everybody in the tenant may read it. */
export interface CollectionBody {
  name: string;
  audience?: string[];
}

/** A collection and who may read it. */
export interface CollectionView {
  collection_id: string;
  name: string;
  audience: string[];
}

/** A whole answer. `citations` and what follows are ours, beyond OpenAI's protocol. */
export interface Completion {
  id: string;
  object?: "chat.completion";
  created: number;
  model: string;
  choices: CompletionChoice[];
  usage: Usage;
  citations: CitationView[];
  trace_id: string;
  session_id: string;
  outcome: string;
  degraded: string[];
}

/** A chat of OpenAI's protocol. What an assistant decides itself (temperature, the length of an answer, …) is named below and passed over; what would change the meaning of an answer, and any other parameter, is refused. */
export interface CompletionBody {
  model?: string;
  messages: CompletionMessage[];
  stream?: boolean | null;
  stream_options?: StreamOptions | null;
  n?: number | null;
  tools?: (Record<string, unknown>)[] | null;
  functions?: (Record<string, unknown>)[] | null;
  response_format?: ResponseFormat | null;
  modalities?: string[] | null;
  logprobs?: boolean | null;
  temperature?: unknown;
  top_p?: unknown;
  max_tokens?: unknown;
  max_completion_tokens?: unknown;
  presence_penalty?: unknown;
  frequency_penalty?: unknown;
  logit_bias?: unknown;
  top_logprobs?: unknown;
  stop?: unknown;
  seed?: unknown;
  user?: unknown;
  safety_identifier?: unknown;
  metadata?: unknown;
  store?: unknown;
  service_tier?: unknown;
  reasoning_effort?: unknown;
  verbosity?: unknown;
  prediction?: unknown;
  prompt_cache_key?: unknown;
  prompt_cache_retention?: unknown;
  parallel_tool_calls?: unknown;
  tool_choice?: unknown;
  function_call?: unknown;
}

/** The one answer there is; `length` where it broke off. */
export interface CompletionChoice {
  index?: number;
  message: AnswerMessage;
  finish_reason: "stop" | "length";
  logprobs?: null;
}

/** One message of the client's history. */
export interface CompletionMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
  content?: string | TextPart[] | null;
  name?: unknown;
  refusal?: unknown;
  annotations?: unknown;
  audio?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
  function_call?: unknown;
}

/** Whether memory is on. */
export interface ConsentBody {
  memory: boolean;
}

/** How many digests were made of old records. */
export interface ConsolidatedView {
  digests: number;
}

/** What a version of an assistant holds. */
export interface ContentBody {
  name: string;
  persona: string;
  policy?: string;
  locale?: "ko" | "en";
  collections?: string[];
  config?: Record<string, unknown>;
}

/** What is wrong, as it should be; what is left out stays. */
export interface CorrectionBody {
  content?: string | null;
  type?: MemoryType | null;
  topic?: string | null;
  importance?: number | null;
  valid_from?: string | null;
  valid_to?: string | null;
  reason?: string;
}

/** Counts by name, each name once. What was written is not told. */
export interface CountsBody {
  counts: MessageCount[];
}

/** What one look at a source may take. */
export interface CrawlLimitsBody {
  items?: number;
  bytes_each?: number;
  bytes_total?: number;
  delay_seconds?: number;
}

/** What a caller proved itself with. */
export type CredentialKind = "key" | "token" | "issuer";

/** Reason before score, so that a model reasons first. */
export interface CriterionScore {
  reason: string;
  score: number;
}

/** One day of an assistant's turns. */
export interface DayView {
  day: string;
  turns: number;
  escalated: number;
  unanswered: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
  p50_ms: number;
  p95_ms: number;
}

/** How many turns were deleted. */
export interface DeletedTurns {
  turns: number;
}

/** Deliveries, newest first; `next_before` is where the next page starts. */
export interface DeliveryPage {
  deliveries: DeliveryView[];
  next_before: string | null;
}

export type DeliveryState = "waiting" | "delivered" | "failed";

/** One happening as it was told: how often it was tried, and what came back. */
export interface DeliveryView {
  delivery_id: string;
  event: WebhookEvent;
  subject_id: string;
  state: DeliveryState;
  attempts: number;
  status: number | null;
  error: string | null;
  created_at: string;
  settled_at: string | null;
}

/** Some documents; `next_before` is where the next page starts. */
export interface DocumentPage {
  documents: ListedDocumentView[];
  next_before: string | null;
}

/** A document, by the id it has outside. */
export interface DocumentView {
  document_id: string;
  type: string;
  title: string;
  version: string;
}

/** What is to be said in a channel now; no text where no provider knew the weather. */
export interface DueNoticeView {
  notice_id: string;
  channel_id: string;
  place: string;
  text: string | null;
}

/** A keyed value that must stay exact, and the turn it was last said in. */
export interface EntityView {
  key: string;
  value: string;
  turn?: number;
}

/** Who is to be erased: oneself (`me`), or with a reason somebody else (`member_id`). */
export interface ErasureBody {
  member_id?: string | null;
  me?: boolean;
  reason?: string;
}

/** The public key (Ed25519, hex) that the tenant's receipts are checked with. */
export interface ErasurePublicKeyView {
  public_key: string;
}

export type ErasureState = "planned" | "started" | "key_destroyed" | "done" | "cancelled";

/** How far an erasure is; with its receipt and signature (hex) once it is done. A planned one begins at `runs_at`, and can be cancelled until then. */
export interface ErasureView {
  erasure_id: string;
  member_id: string;
  state: ErasureState;
  requested_at: string;
  runs_at: string;
  key_destroyed_at: string | null;
  done_at: string | null;
  receipt: Record<string, unknown> | null;
  signature: string | null;
}

/** How many turns the strong model answered, and what was saved against asking it every time. `saving` is null where no turn was escalated or the strong model has no list price. */
export interface EscalationView {
  turns: number;
  escalated: number;
  share: number | null;
  strong_model: string | null;
  cost_usd: number;
  strong_only_usd: number | null;
  saving: number | null;
}

/** A query, and what memory should know for it, where somebody knows. */
export interface EvaluationBody {
  query: string;
  facts?: FactBody[];
}

/** The judgement; `judged_by` is `twin` where no judge is set. */
export interface EvaluationView {
  judgement: Judgement;
  judged_by: "model" | "fallback";
  tokens: number;
}

/** Events, newest first; `next_before` is where the next page starts. */
export interface EventPage {
  events: AuditEventView[];
  next_before: string | null;
}

/** A memory as a file: what `export` gives, `import` takes. */
export interface ExportView {
  format?: "saegim-memory/1";
  memories: PortableRecordView[];
}

/** How far a turn is on its way to memory. */
export type ExtractionStatus = "waiting" | "read" | "left_out" | "failed" | "off";

/** A value that memory should have, and the words that say what it is the value of. */
export interface FactBody {
  about: string[];
  value: string;
  stale?: string[];
}

/** Work that was given up, and the class of its last error. */
export interface FailedJobView {
  job_id: number;
  kind: string;
  failures: number;
  error: string;
  failed_at: string;
}

/** An item that did not come in, and why. */
export interface FailingView {
  key: string;
  error: string;
}

/** Whether a candidate was taken, or why it was not. */
export type Fate = "taken" | "over_budget" | "near_duplicate" | "below_the_rest" | "out_of_time";

/** What is said of an answer: a thumb, and what it should have been. With `for_evaluation` the person agrees that the turn, and what was said before it, becomes a masked case that the answers are evaluated with. */
export interface FeedbackBody {
  thumb: "up" | "down";
  correction?: string | null;
  for_evaluation?: boolean;
}

/** How far a file of an ingest is. */
export type FileState = "receiving" | "waiting" | "reading" | "storing" | "done" | "failed" | "cancelled";

/** How far a file is: `stored` of `passages` are in, `embedded` of them were new. */
export interface FileView {
  file_id: string;
  name: string;
  size: number;
  state: FileState;
  documents: number;
  passages: number;
  stored: number;
  embedded: number;
  removed: number;
  error: string | null;
}

/** How many records were forgotten. */
export interface ForgottenMemories {
  forgotten: number;
}

/** A passage that a search found, with each arm's score, and the reranker's if there is one. */
export interface FoundPassageView {
  passage_id: string;
  document: DocumentView;
  path: string[];
  text: string;
  score: number;
  lexical: number | null;
  dense: number | null;
  reranked: number | null;
}

/** What stands under a prefix of an S3-compatible bucket. */
export interface FromBucket {
  kind: "s3";
  endpoint: string;
  bucket: string;
  prefix?: string;
  region?: string;
  access_key: string;
  secret_key: string;
}

/** The pages that a site's sitemap names, on its own host. */
export interface FromSitemap {
  kind: "sitemap";
  url: string;
}

/** Pages, one by one. */
export interface FromUrls {
  kind: "urls";
  urls: string[];
}

/** What is to change; what is left out stays. */
export interface GuildChange {
  locale?: "ko" | "en" | null;
  persona?: string | null;
  rules?: string | null;
  log_channel?: string | null;
  store_messages?: boolean | null;
  user_per_minute?: number | null;
  guild_per_minute?: number | null;
}

/** A guild's settings, and how its channels are spoken in. */
export interface GuildView {
  guild_id: string;
  locale: "ko" | "en" | null;
  persona: string;
  rules: string;
  log_channel: string | null;
  store_messages: boolean;
  user_per_minute: number;
  guild_per_minute: number;
  channels: Record<string, VoiceView>;
}

/** How many webhooks are told that a person is asked for. */
export interface HandedOff {
  notified: number;
}

/** A name that was linked to the caller. */
export interface IdentityView {
  identity_id: string;
  channel: string;
  name: string;
  linked_at: string;
}

/** What is imported at once; longer exports are sent in several requests. */
export interface ImportBody {
  format?: "saegim-memory/1";
  memories: PortableRecordView[];
}

export type ImportState = "waiting" | "done";

/** How far an import is: `done` of `total` memories are remembered. */
export interface ImportView {
  import_id: string;
  state: ImportState;
  total: number;
  done: number;
}

/** An ingest with its files; `over` when none of them is still on its way. */
export interface IngestView {
  ingest_id: string;
  over: boolean;
  cancelled: boolean;
  files: FileView[];
}

/** Who signs for the tenant's users: its name, our name there, and its keys or their address. */
export interface IssuerBody {
  url: string;
  audience: string;
  jwks_url?: string | null;
  jwks?: Record<string, unknown> | null;
  assistant_id?: string | null;
  user_claim?: string;
  groups_claim?: string | null;
}

/** An issuer of the tenant's. */
export interface IssuerView {
  issuer_id: string;
  url: string;
  audience: string;
  jwks_url: string | null;
  assistant_id: string;
  user_claim: string;
  groups_claim: string | null;
}

/** A passage or a memory that was considered, and whether it came in. */
export interface ItemView {
  kind: string;
  id: string;
  title: string;
  fate: string;
  tokens: number;
  signals: Record<string, number>;
  turn?: string | null;
}

/** A judgement with its overall score, which the model never computes. */
export interface Judgement {
  scores: Scores;
  helpful_info?: string[];
  missing_info?: string[];
  summary: string;
  overall_score: number;
}

/** How long the old key goes on, and why, for a key with which others can be read. */
export interface KeyRotationBody {
  overlap_seconds?: number;
  reason?: string;
}

/** A key by its prefix; its secret is nowhere. */
export interface KeyView {
  key_id: string;
  prefix: string;
  name: string;
  role: Role;
  scopes: string[] | null;
  groups: string[];
  acts_for_others: boolean;
  member_id: string | null;
  assistant_id: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  used_at: string | null;
  replaces: string | null;
  made_by: string | null;
}

/** At most so much of a resource in any window of so many seconds. */
export interface LimitShape {
  subject: "key" | "user" | "tenant";
  resource: Resource;
  window_seconds: number;
  most: number;
}

/** The tenant's own limits; each replaces the usual ones of its subject and resource. */
export interface LimitsBody {
  limits: LimitShape[];
}

/** A code that was given on another channel. */
export interface LinkBody {
  code: string;
}

/** A document in a list. */
export interface ListedDocumentView {
  document_id: string;
  type: string;
  title: string;
  version: string;
  collection: string;
  passages: number;
  updated_at: string;
}

/** A conversation, by what it began with, and the assistant it stays with. */
export interface ListedSessionView {
  session_id: string;
  assistant_id: string;
  title: string;
  turns: number;
  used_at: string;
  temporary: boolean;
}

/** A document with its passages in order, and others that are related to it. */
export interface LookupView {
  document: DocumentView;
  passages: PassageView[];
  related: DocumentView[];
}

/** Who the credential says one is, and what one may do. */
export interface MeView {
  user_id: string;
  profile_id: string;
  role: Role;
  permissions: Permission[];
  groups: string[];
  credential: CredentialKind;
}

/** What is to change; what is left out stays. */
export interface MemberBody {
  role?: Role | null;
  groups?: string[] | null;
  disabled?: boolean | null;
}

/** Members in order; `next_after` is where the next page starts. */
export interface MemberPage {
  members: MemberView[];
  next_after: string | null;
}

/** A member, by the name it has outside. */
export interface MemberView {
  member_id: string;
  name: string;
  role: Role;
  groups: string[];
  disabled: boolean;
  created_at: string;
}

/** Tokens that memory may take in one context; what is left out keeps its default. */
export interface MemoryCaps {
  memory_tokens?: number | null;
  item_tokens?: number | null;
  pinned_tokens?: number | null;
}

/** Who did what, when and why. */
export interface MemoryEventView {
  action: Action;
  actor: Actor;
  at: string;
  reason: string;
}

/** Some records; `next_before` is where the next page starts. */
export interface MemoryPage {
  memories: MemoryView[];
  next_before: string | null;
}

/** The version to go back to. */
export interface MemoryRollbackBody {
  version: number;
}

export type MemoryType = "fact" | "preference" | "constraint" | "decision" | "todo" | "timeline" | "profile" | "note";

/** A record as it stood from a time on. */
export interface MemoryVersionView {
  version: number;
  type: MemoryType;
  content: string;
  importance: number;
  origin: Origin;
  at: string;
}

/** One record. */
export interface MemoryView {
  memory_id: string;
  type: MemoryType;
  content: string;
  importance: number;
  said_at: string;
  valid_from: string | null;
  valid_to: string | null;
  topic: string;
  tags: string[];
  quote: string;
  sources: string[];
  version: number;
  origin: Origin;
  pinned: boolean;
  retention?: string | null;
  superseded_by: string | null;
}

/** Where a person finds help when the documents have none. */
export interface MenuLink_Input {
  label: string;
  url: string;
}

/** Where a person finds help when the documents have none. */
export interface MenuLink_Output {
  label: string;
  url: string;
}

/** How many messages somebody wrote since the last time. */
export interface MessageCount {
  name: string;
  messages: number;
}

/** A new credential. `secret` is shown this once. */
export interface MintedView {
  id: string;
  secret: string;
  expires_at: string | null;
}

/** An assistant, as a model of OpenAI's protocol. */
export interface Model {
  id: string;
  object?: "model";
  created?: number;
  owned_by?: "saegim";
  name: string;
}

/** The assistants that the credential speaks to. */
export interface ModelList {
  object?: "list";
  data: Model[];
}

/** How many records were said in a month. */
export interface MonthView {
  year: number;
  month: number;
  records: number;
}

/** Where files are to go, and what kind of document they are unless they say so themselves. */
export interface NewIngest {
  collection?: string;
  type?: string;
  own?: boolean;
}

/** A key that is asked for; without a user it may act as any user of the tenant. */
export interface NewKeyBody {
  name: string;
  role?: Role;
  user?: string | null;
  assistant_id?: string | null;
  scopes?: Permission[] | null;
  groups?: string[];
  expires_at?: string | null;
  reason?: string;
}

/** What a person writes down. */
export interface NewMemoryBody {
  content: string;
  type?: MemoryType;
  topic?: string;
  retention?: string | null;
}

/** A token for the user that the request names in `Saegim-User` and `Saegim-Profile`. */
export interface NewToken {
  seconds?: number;
  assistant_id?: string | null;
  origins?: string[];
  groups?: string[];
  may?: ("chat:instructions" | "self:link" | "self:export" | "self:erase")[];
}

/** An https address of the tenant's, and what it is to be told. */
export interface NewWebhook {
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
}

/** A new webhook. `secret` signs what it is told, and is shown this once. */
export interface NewWebhookView {
  webhook_id: string;
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
  created_at: string;
  secret: string;
}

/** The weather of a place, in a channel, every day at a time. */
export interface NoticeBody {
  channel_id: string;
  place: string;
  at: string;
  time_zone?: string;
}

/** A notice as it is told. */
export interface NoticeView {
  channel_id: string;
  place: string;
  at: string;
  time_zone?: string;
  notice_id: string;
}

/** The same once more, as clients of OpenAI read it; on their routes only. */
export interface OpenAIError {
  message: string;
  type: string;
  param?: string | null;
  code: string;
}

/** Who made a record. What a twin made can be extracted again once there is a model. */
export type Origin = "model" | "fallback" | "person";

/** A passage with its place. */
export interface PassageView {
  passage_id: string;
  document: DocumentView;
  path: string[];
  text: string;
}

/** One thing a credential may do. A key's scopes are some of these. */
export type Permission = "chat" | "chat:instructions" | "self" | "self:link" | "self:export" | "self:erase" | "library:read" | "library:write" | "assistants:draft" | "assistants:publish" | "tokens" | "collections" | "members" | "keys" | "webhooks" | "guilds" | "limits" | "usage" | "audit" | "others:read" | "others:erase" | "tenant";

/** Whether a record stands in every context. */
export interface PinBody {
  pinned: boolean;
}

/** A record that is taken along. */
export interface PortableRecordView {
  type: MemoryType;
  content: string;
  importance: number;
  said_at: string;
  valid_from?: string | null;
  valid_to?: string | null;
  topic?: string;
  tags?: string[];
  quote?: string;
  sources?: string[];
  pinned?: boolean;
  retention?: string | null;
}

/** A message that is not sent yet, with what would go along. */
export interface PreviewBody {
  message?: string;
  session_id?: string | null;
  selected_doc_ids?: string[];
  chosen_memory_ids?: string[];
  use_memory?: boolean;
  use_pinned?: boolean;
  memory_caps?: MemoryCaps;
}

/** What the model would be shown: blocks against their budgets, and each item's fate. */
export interface PreviewView {
  blocks: BlockView[];
  items: ItemView[];
  tokens: number;
  budget: number;
  degraded: string[];
}

/** What went wrong; `code` is stable, `title` is for people. */
export interface Problem {
  type: string;
  code: string;
  title: string;
  status: number;
  detail?: string | null;
  request_id?: string | null;
  error?: OpenAIError | null;
}

/** One of the caller's name spaces; `current` where it is the one that the request names. */
export interface ProfileView {
  profile_id: string;
  name: string;
  created_at: string;
  current: boolean;
}

/** How many FAQ entries and other passages a search gives, and by which weights. */
export interface RankingView {
  faq?: number;
  other?: number;
  weights?: WeightsView;
}

/** Whether the process can serve: it is warmed up, the record store is there and current, and there was a worker in the last minute. Everything else is for operators: this machine, or whoever shows the key of `/metrics`. */
export interface Ready {
  ready: boolean;
  warm?: boolean | null;
  postgres?: "ok" | "degraded" | "down" | null;
  redis?: "ok" | "degraded" | "down" | null;
  workers?: number | null;
  jobs_waiting?: number | null;
  job_lag_seconds?: number | null;
  jobs_failed?: number | null;
}

/** A question to memory. */
export interface RecallBody {
  message: string;
  count?: number | null;
  tokens?: number | null;
  types?: MemoryType[];
  chosen?: string[];
  as_of?: string | null;
}

/** A recent turn as the model would see it; a long text may be shortened. */
export interface RecentTurnView {
  number: number;
  message: string;
  answer: string;
}

/** What memory has to a message, fitted to its budgets, and what it left behind. */
export interface RecollectionView {
  pinned: CandidateView[];
  records: CandidateView[];
  episodes: CandidateView[];
  dropped: CandidateView[];
}

export type Resource = "requests" | "tokens" | "microdollars";

/** Only plain text is written. */
export interface ResponseFormat {
  type?: string;
  json_schema?: unknown;
}

/** The label that says how long a record is kept; null takes it away. */
export interface RetentionBody {
  label: string | null;
}

export type Role = "owner" | "admin" | "editor" | "member" | "auditor";

/** A kind of question: how it is recognised, and how it is searched. */
export interface RouteConfig {
  name: string;
  about: string;
  words?: string[];
  query_prompt?: string;
  query_forms?: string[];
  prefers?: string[];
}

export interface Scores {
  relevance: CriterionScore;
  completeness: CriterionScore;
  accuracy: CriterionScore;
  noise: CriterionScore;
}

/** A question; without filters FAQ entries and other passages are found in their shares. The shares are the tenant's own, 3 and 7 until it sets others (`PUT /v1/ranking`). */
export interface SearchBody {
  query: string;
  faq?: number | null;
  other?: number | null;
  types?: string[];
  has_steps?: boolean | null;
  has_conditions?: boolean | null;
  has_table?: boolean | null;
}

/** What was found, best first. */
export interface SearchView {
  found: FoundPassageView[];
  degraded: string[];
}

/** What the model would see of a session if a message came now. */
export interface SessionContextView {
  session_id: string;
  completed_turns: number;
  summary_version: number;
  summarised_through: number;
  summary: string;
  entities: EntityView[];
  recent: RecentTurnView[];
  blocks: BlockView[];
  tokens: number;
  budget: number;
  degraded: string[];
}

/** Conversations of the caller's, the last used first; `next_before` is where the next page starts. */
export interface SessionPage {
  sessions: ListedSessionView[];
  next_before: string | null;
}

/** What one person's turns asked of one model in one role. */
export interface ShareView {
  member: string;
  role: string;
  model: string;
  turns: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

/** The shares of the assistant's use, the dearest first. */
export interface SharesView {
  shares: ShareView[];
}

/** A source, where its documents go, and how often it is looked at. */
export interface SourceBody {
  source: FromUrls | FromSitemap | FromBucket;
  collection?: string;
  type?: string;
  every_hours?: number;
  limits?: CrawlLimitsBody;
}

/** How a source is read. */
export type SourceKind = "folder" | "urls" | "sitemap" | "s3";

/** A source; the counts are those of the last look, or of the one that is running. */
export interface SourceView {
  source_id: string;
  kind: SourceKind;
  address: string;
  collection: string;
  type: string;
  every_hours: number;
  running: boolean;
  synced_at: string | null;
  error: string | null;
  documents: number;
  listed: number;
  changed: number;
  unchanged: number;
  failed: number;
  removed: number;
  failing: FailingView[];
}

/** All sources of a tenant. */
export interface SourcesView {
  sources: SourceView[];
}

/** Whether the last piece of a stream tells what was used. */
export interface StreamOptions {
  include_usage?: boolean;
  include_obfuscation?: boolean | null;
}

/** A part of a message; anything but text is refused. */
export interface TextPart {
  type: string;
  text?: string | null;
  image_url?: unknown;
  input_audio?: unknown;
  file?: unknown;
  refusal?: unknown;
}

/** When a draft is not good enough (TN6), and when nothing is (TN4). */
export interface Thresholds {
  overall?: number;
  risk?: number;
  answer_tokens?: number;
  confidence?: number;
  sure?: number;
}

/** Why a turn came out as it did. */
export interface TraceView {
  turn_id: string;
  trace: Record<string, unknown>;
}

/** How far a turn is on its way to memory, and what it was remembered by. */
export interface TurnMemoriesView {
  turn_id: string;
  reading: ExtractionStatus;
  remembered: TurnMemoryView[];
}

/** A record that a turn made, with the words of the turn that say it. */
export interface TurnMemoryView {
  memory_id: string;
  type: MemoryType;
  content: string;
  topic: string;
  quote: string;
}

/** Turns of a session in order; `next_after` is where the next page starts. */
export interface TurnPage {
  turns: TurnView[];
  next_after: number | null;
}

/** received → running (lease) → done | incomplete | failed. */
export type TurnState = "received" | "running" | "done" | "incomplete" | "failed";

/** A turn as stored. */
export interface TurnView {
  turn_id: string;
  session_id: string;
  number: number;
  state: TurnState;
  message: string;
  answer: string | null;
  error: string | null;
  created_at: string;
  settled_at: string | null;
}

/** Unanswered and badly rated questions of an assistant, newest first. */
export interface UnansweredPage {
  questions: UnansweredView[];
}

/** A question that had no answer, or one that was called bad. */
export interface UnansweredView {
  turn_id: string;
  at: string;
  question: string;
  outcome: string;
  thumb: "up" | "down" | null;
  correction: string | null;
}

/** Tokens of all model calls of the turn; none where no model is configured. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** The days that had a turn, oldest first. */
export interface UsageView {
  days: DayView[];
}

/** What the user said in an earlier turn. */
export interface UserEntry {
  role: "user";
  content: string;
}

/** What a look along the chain found; `broken` is empty where it is whole. */
export interface VerifiedView {
  batches: number;
  events: number;
  unsealed: number;
  unreadable: number;
  head: string;
  broken: string[];
}

export type VersionState = "draft" | "published" | "retired";

/** How the assistant is to speak in a channel; both empty leave it to the guild. */
export interface VoiceBody {
  persona?: string;
  rules?: string;
  channel_id: string;
}

/** How the assistant speaks in a channel. */
export interface VoiceView {
  persona?: string;
  rules?: string;
}

/** What a tenant can be told of; the value is the event's name outside. */
export type WebhookEvent = "turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done" | "ping";

/** All webhooks of the tenant, oldest first. */
export interface WebhookList {
  webhooks: WebhookView[];
}

/** A webhook; its secret is nowhere. */
export interface WebhookView {
  webhook_id: string;
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
  created_at: string;
}

/** What each signal is worth; `saegim tune` fits them. */
export interface WeightsView {
  dense?: number;
  focus?: number;
  feedback?: number;
  fusion?: "scores" | "ranks";
}

/** Every operation: what it takes and gives, and whether `If-Match` goes with it. */
export interface Operations {
  "DELETE /v1/documents/{document_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/erasures/{erasure_id}": { body: undefined; response: ErasureView; ifMatch: false };
  "DELETE /v1/guild/notices/{notice_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/identities/{identity_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/issuers/{issuer_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/keys/{key_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/memories/{memory_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/sessions/{session_id}": { body: undefined; response: DeletedTurns; ifMatch: false };
  "DELETE /v1/sources/{source_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/turns/{turn_id}/memories": { body: undefined; response: ForgottenMemories; ifMatch: false };
  "DELETE /v1/webhooks/{webhook_id}": { body: undefined; response: undefined; ifMatch: false };
  "GET /health/live": { body: undefined; response: Record<string, boolean>; ifMatch: false };
  "GET /health/ready": { body: undefined; response: Ready; ifMatch: false };
  "GET /metrics": { body: undefined; response: undefined; ifMatch: false };
  "GET /v1/assistant/config": { body: undefined; response: AssistantConfig_Output; ifMatch: false };
  "GET /v1/assistant/unanswered": { body: undefined; response: UnansweredPage; ifMatch: false };
  "GET /v1/assistants": { body: undefined; response: AssistantView[]; ifMatch: false };
  "GET /v1/assistants/available": { body: undefined; response: AvailableAssistantView[]; ifMatch: false };
  "GET /v1/assistants/{assistant_id}/versions": { body: undefined; response: AssistantVersionView[]; ifMatch: false };
  "GET /v1/audit": { body: undefined; response: EventPage; ifMatch: false };
  "GET /v1/collections": { body: undefined; response: CollectionView[]; ifMatch: false };
  "GET /v1/collections/{collection_id}": { body: undefined; response: CollectionView; ifMatch: false };
  "GET /v1/consent": { body: undefined; response: ConsentBody; ifMatch: false };
  "GET /v1/documents": { body: undefined; response: DocumentPage; ifMatch: false };
  "GET /v1/documents/{document_id}": { body: undefined; response: LookupView; ifMatch: false };
  "GET /v1/erasures": { body: undefined; response: ErasureView[]; ifMatch: false };
  "GET /v1/erasures/public-key": { body: undefined; response: ErasurePublicKeyView; ifMatch: false };
  "GET /v1/erasures/{erasure_id}": { body: undefined; response: ErasureView; ifMatch: false };
  "GET /v1/export": { body: undefined; response: Record<string, unknown>; ifMatch: false };
  "GET /v1/guild": { body: undefined; response: GuildView; ifMatch: false };
  "GET /v1/guild/channel-settings": { body: undefined; response: ChannelSettingsView; ifMatch: false };
  "GET /v1/guild/notices": { body: undefined; response: NoticeView[]; ifMatch: false };
  "GET /v1/guild/ranking": { body: undefined; response: ActiveView[]; ifMatch: false };
  "GET /v1/identities": { body: undefined; response: IdentityView[]; ifMatch: false };
  "GET /v1/ingests/{ingest_id}": { body: undefined; response: IngestView; ifMatch: false };
  "GET /v1/issuers": { body: undefined; response: IssuerView[]; ifMatch: false };
  "GET /v1/jobs": { body: undefined; response: BacklogView; ifMatch: false };
  "GET /v1/keys": { body: undefined; response: KeyView[]; ifMatch: false };
  "GET /v1/limits": { body: undefined; response: LimitShape[]; ifMatch: false };
  "GET /v1/me": { body: undefined; response: MeView; ifMatch: false };
  "GET /v1/members": { body: undefined; response: MemberPage; ifMatch: false };
  "GET /v1/members/{member_id}/export": { body: undefined; response: Record<string, unknown>; ifMatch: false };
  "GET /v1/memories": { body: undefined; response: MemoryPage; ifMatch: false };
  "GET /v1/memories/export": { body: undefined; response: ExportView; ifMatch: false };
  "GET /v1/memories/imports/{import_id}": { body: undefined; response: ImportView; ifMatch: false };
  "GET /v1/memories/timeline": { body: undefined; response: MonthView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}": { body: undefined; response: MemoryView; ifMatch: false };
  "GET /v1/memories/{memory_id}/sources": { body: undefined; response: MemoryView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}/trail": { body: undefined; response: MemoryEventView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}/versions": { body: undefined; response: MemoryVersionView[]; ifMatch: false };
  "GET /v1/models": { body: undefined; response: ModelList; ifMatch: false };
  "GET /v1/models/{assistant_id}": { body: undefined; response: Model; ifMatch: false };
  "GET /v1/passages/{passage_id}/section": { body: undefined; response: PassageView[]; ifMatch: false };
  "GET /v1/profiles": { body: undefined; response: ProfileView[]; ifMatch: false };
  "GET /v1/ranking": { body: undefined; response: RankingView; ifMatch: false };
  "GET /v1/sessions": { body: undefined; response: SessionPage; ifMatch: false };
  "GET /v1/sessions/{session_id}/context": { body: undefined; response: SessionContextView; ifMatch: false };
  "GET /v1/sessions/{session_id}/turns": { body: undefined; response: TurnPage; ifMatch: false };
  "GET /v1/sources": { body: undefined; response: SourcesView; ifMatch: false };
  "GET /v1/sources/{source_id}": { body: undefined; response: SourceView; ifMatch: false };
  "GET /v1/turns/{turn_id}": { body: undefined; response: TurnView; ifMatch: false };
  "GET /v1/turns/{turn_id}/events": { body: undefined; response: undefined; ifMatch: false };
  "GET /v1/turns/{turn_id}/memories": { body: undefined; response: TurnMemoriesView; ifMatch: false };
  "GET /v1/turns/{turn_id}/trace": { body: undefined; response: TraceView; ifMatch: false };
  "GET /v1/usage": { body: undefined; response: UsageView; ifMatch: false };
  "GET /v1/usage/escalation": { body: undefined; response: EscalationView; ifMatch: false };
  "GET /v1/usage/shares": { body: undefined; response: SharesView; ifMatch: false };
  "GET /v1/webhooks": { body: undefined; response: WebhookList; ifMatch: false };
  "GET /v1/webhooks/{webhook_id}/deliveries": { body: undefined; response: DeliveryPage; ifMatch: false };
  "PATCH /v1/collections/{collection_id}": { body: AudienceBody; response: undefined; ifMatch: true };
  "PATCH /v1/guild": { body: GuildChange; response: GuildView; ifMatch: true };
  "PATCH /v1/members/{member_id}": { body: MemberBody; response: MemberView; ifMatch: false };
  "PATCH /v1/memories/{memory_id}": { body: CorrectionBody; response: MemoryView; ifMatch: true };
  "POST /v1/assistants": { body: ContentBody; response: AssistantView; ifMatch: false };
  "POST /v1/assistants/{assistant_id}/publish": { body: undefined; response: AssistantVersionView; ifMatch: true };
  "POST /v1/assistants/{assistant_id}/rollback": { body: AssistantRollbackBody; response: AssistantVersionView; ifMatch: true };
  "POST /v1/audit/verify": { body: undefined; response: VerifiedView; ifMatch: false };
  "POST /v1/chat": { body: ChatBody; response: ChatReply; ifMatch: false };
  "POST /v1/chat/completions": { body: CompletionBody; response: Completion; ifMatch: false };
  "POST /v1/collections": { body: CollectionBody; response: CollectionView; ifMatch: false };
  "POST /v1/erasures": { body: ErasureBody; response: ErasureView; ifMatch: false };
  "POST /v1/guild/activity": { body: CountsBody; response: undefined; ifMatch: false };
  "POST /v1/guild/notices": { body: NoticeBody; response: NoticeView; ifMatch: false };
  "POST /v1/guild/notices/due": { body: undefined; response: DueNoticeView[]; ifMatch: false };
  "POST /v1/identities": { body: LinkBody; response: undefined; ifMatch: false };
  "POST /v1/identities/codes": { body: undefined; response: CodeView; ifMatch: false };
  "POST /v1/ingests": { body: NewIngest; response: IngestView; ifMatch: false };
  "POST /v1/ingests/{ingest_id}/cancel": { body: undefined; response: IngestView; ifMatch: false };
  "POST /v1/jobs/{job_id}/replay": { body: undefined; response: undefined; ifMatch: false };
  "POST /v1/keys": { body: NewKeyBody; response: MintedView; ifMatch: false };
  "POST /v1/keys/{key_id}/rotate": { body: KeyRotationBody; response: MintedView; ifMatch: false };
  "POST /v1/memories": { body: NewMemoryBody; response: MemoryView; ifMatch: false };
  "POST /v1/memories/consolidate": { body: undefined; response: ConsolidatedView; ifMatch: false };
  "POST /v1/memories/import": { body: ImportBody; response: ImportView; ifMatch: false };
  "POST /v1/memories/{memory_id}/rollback": { body: MemoryRollbackBody; response: MemoryView; ifMatch: true };
  "POST /v1/memories/{memory_id}/undo": { body: undefined; response: MemoryView; ifMatch: false };
  "POST /v1/preview": { body: PreviewBody; response: PreviewView; ifMatch: false };
  "POST /v1/recall": { body: RecallBody; response: RecollectionView; ifMatch: false };
  "POST /v1/search": { body: SearchBody; response: SearchView; ifMatch: false };
  "POST /v1/sessions/{session_id}/eval": { body: EvaluationBody; response: EvaluationView; ifMatch: false };
  "POST /v1/sources": { body: SourceBody; response: SourceView; ifMatch: false };
  "POST /v1/sources/{source_id}/sync": { body: undefined; response: SourceView; ifMatch: false };
  "POST /v1/tokens": { body: NewToken; response: MintedView; ifMatch: false };
  "POST /v1/turns/{turn_id}/cancel": { body: undefined; response: TurnView; ifMatch: false };
  "POST /v1/turns/{turn_id}/continue": { body: undefined; response: ChatReply; ifMatch: false };
  "POST /v1/turns/{turn_id}/hand-off": { body: undefined; response: HandedOff; ifMatch: false };
  "POST /v1/turns/{turn_id}/regenerate": { body: AgainBody; response: ChatReply; ifMatch: false };
  "POST /v1/webhooks": { body: NewWebhook; response: NewWebhookView; ifMatch: false };
  "POST /v1/webhooks/{webhook_id}/ping": { body: undefined; response: DeliveryView; ifMatch: false };
  "PUT /v1/assistant/config": { body: AssistantConfig_Input; response: AssistantConfig_Output; ifMatch: true };
  "PUT /v1/assistants/{assistant_id}/draft": { body: ContentBody; response: AssistantVersionView; ifMatch: true };
  "PUT /v1/consent": { body: ConsentBody; response: ConsentBody; ifMatch: false };
  "PUT /v1/consent/tenant": { body: ConsentBody; response: ConsentBody; ifMatch: false };
  "PUT /v1/guild/voice": { body: VoiceBody; response: GuildView; ifMatch: false };
  "PUT /v1/ingests/{ingest_id}/files/{name}": { body: Uint8Array; response: FileView; ifMatch: false };
  "PUT /v1/issuers": { body: IssuerBody; response: undefined; ifMatch: false };
  "PUT /v1/limits": { body: LimitsBody; response: undefined; ifMatch: true };
  "PUT /v1/memories/{memory_id}/pin": { body: PinBody; response: MemoryView; ifMatch: false };
  "PUT /v1/memories/{memory_id}/retention": { body: RetentionBody; response: MemoryView; ifMatch: false };
  "PUT /v1/ranking": { body: RankingView; response: RankingView; ifMatch: true };
  "PUT /v1/turns/{turn_id}/feedback": { body: FeedbackBody; response: FeedbackBody; ifMatch: false };
}
