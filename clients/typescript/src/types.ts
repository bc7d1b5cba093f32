// Written by scripts/typescript_types.py from the OpenAPI document. Do not edit.

/** What was done to memory, for the audit trail. */
export type Action = "add" | "confirm" | "doubt" | "supersede" | "contradict" | "revise" | "roll_back" | "pin" | "unpin" | "retain" | "forget" | "undo" | "expire" | "consolidate" | "import" | "consent";

/** Rank of a member. */
export interface ActiveView {
  rank: number;
  name: string;
  messages: number;
}

export type Actor = "person" | "model" | "fallback" | "rule" | "operator";

/** Documents to answer from; empty for a search. */
export interface AgainBody {
  selected_doc_ids?: string[];
}

/** The answer of the assistant. */
export interface AnswerMessage {
  role?: "assistant";
  content: string | null;
  refusal?: string | null;
  tool_calls?: ToolCall[] | null;
}

/** A model of a connection of the tenant. */
export interface AnswerModel {
  connection_id: string;
  model: string;
}

/** UNKNOWN: memory has no answer. OFF: memory may not be used. */
export type AskOutcome = "answered" | "unknown" | "off";

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
  review?: boolean;
  context?: "compact" | "roomy";
  two_stage?: boolean;
  tools?: string[] | null;
  model?: AnswerModel | null;
  description?: string;
  starters?: string[];
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
  review?: boolean;
  context?: "compact" | "roomy";
  two_stage?: boolean;
  tools?: string[] | null;
  model?: AnswerModel | null;
  description?: string;
  starters?: string[];
  offered_to?: string[] | null;
}

/** An earlier answer, with `summary`, `refs` and `ref_doc_ids` of its response. */
export interface AssistantEntry {
  role: "assistant";
  summary: string;
  refs?: string[];
  doc_ids?: string[];
  entities?: Record<string, string> | EntityView[];
}

/** The version to restore. */
export interface AssistantRollbackBody {
  version: number;
}

/** A version of an assistant. */
export interface AssistantVersionView {
  version: number;
  state: VersionState;
  content: ContentBody;
  made_by: string;
  created_at: string;
  published_at: string | null;
}

/** The published version of an assistant. */
export interface AssistantView {
  assistant_id: string;
  name: string;
  persona: string;
  policy: string;
  locale: "ko" | "en";
  collections: string[];
  offered_to: string[] | null;
}

/** A document that was attached to a message. */
export interface AttachmentView {
  document_id: string;
  title: string;
}

/** An event of the audit trail. `on_behalf` is true if somebody else than the member holds or made the credential; `key_made_by` is the member who created the key. */
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

/** An assistant that the caller may use. `own` is the assistant of the credential, `current` that of this request. */
export interface AvailableAssistantView {
  assistant_id: string;
  name: string;
  own: boolean;
  current: boolean;
}

/** The models that a provider lists. */
export interface AvailableModels {
  models: string[];
}

/** The tenant's background jobs. `lag_seconds` is the age of the oldest waiting job. */
export interface BacklogView {
  waiting: number;
  running: number;
  lag_seconds: number;
  failed: FailedJobView[];
}

/** A block of the context: its tokens, its budget, and the number of dropped items. */
export interface BlockView {
  name: string;
  tokens: number;
  budget: number;
  items: number;
  dropped: number;
}

/** A turn of the branch to put in use. */
export interface BranchBody {
  turn_id: string;
}

export type CallSource = "model" | "fallback";

/** A call of a function; `arguments` is JSON. */
export interface CalledFunction {
  name: string;
  arguments?: string;
}

export type CandidateKind = "pinned" | "record" | "episode" | "team";

/** A memory that recall considered, with its scores. `fate` says why it was used or dropped. */
export interface CandidateView {
  kind: CandidateKind;
  id: string;
  text: string;
  said_at: string;
  tokens: number;
  fate: Fate;
  sources: string[];
  unsure_since: string | null;
  score: number;
  lexical: number;
  dense: number;
  recency: number;
  importance: number;
  speaker: number;
  time: number;
}

/** The channel of a message: instructions, and messages of others around it, oldest first. Messages of others are used for this answer only, unless `store_messages` is true. */
export interface ChannelContext {
  instructions?: string;
  messages?: ChannelMessageBody[];
  store_messages?: boolean;
}

/** A message of somebody else in the same channel. */
export interface ChannelMessageBody {
  name: string;
  text: string;
}

/** Settings for the caller in a channel. Send `profile` and `instructions` with each message. */
export interface ChannelSettingsView {
  profile: string;
  instructions: string;
  locale: "ko" | "en" | null;
  store_messages: boolean;
  log_channel: string | null;
  user_per_minute: number;
  guild_per_minute: number;
}

/** A message. `chat_history` replaces the recent turns of the session for this request. */
export interface ChatBody {
  selected_doc_ids?: string[];
  chosen_memory_ids?: string[];
  use_memory?: boolean;
  use_pinned?: boolean;
  memory_caps?: MemoryCaps;
  message: string;
  session_id?: string | null;
  attached_doc_ids?: string[];
  chat_history?: (UserEntry | AssistantEntry)[] | null;
  stream?: boolean;
  temporary?: boolean;
  draft?: boolean;
  channel_context?: ChannelContext;
}

/** The answer, with the fields that a client needs to send its own history. */
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
  grounded?: boolean | null;
  memory_off?: boolean;
  proposal?: "forget" | "leave_out" | null;
  effects?: EffectView[];
}

/** The source of a citation marker in the answer. */
export interface CitationView {
  marker: string;
  kind: "passage" | "memory" | "turn" | "tool";
  id: string;
  title: string;
  section?: string | null;
  locator?: LocatorView | null;
  text?: string | null;
  document?: string | null;
  url?: string | null;
  turn?: string | null;
  also_in?: OtherPlaceView[];
  stale_since?: string | null;
  team?: boolean;
}

/** A one-time code to enter on the channel to link. */
export interface CodeView {
  code: string;
  expires_at: string;
}

/** A new collection. Without an audience, every member of the tenant may read it. */
export interface CollectionBody {
  name: string;
  audience?: string[];
}

/** A new name, or the groups that may read the collection. If empty, every member may. */
export interface CollectionChange {
  name?: string | null;
  audience?: string[] | null;
}

/** A collection and its audience. */
export interface CollectionView {
  collection_id: string;
  name: string;
  audience: string[];
}

/** A complete answer. `citations` and the fields after it extend OpenAI's protocol; without a turn, as for tool calls, they are empty. */
export interface Completion {
  id: string;
  object?: "chat.completion";
  created: number;
  model: string;
  choices: CompletionChoice[];
  usage: Usage;
  citations?: CitationView[];
  trace_id?: string | null;
  session_id?: string | null;
  outcome?: string;
  degraded?: string[];
  effects?: EffectView[];
}

/** An OpenAI chat completion request. Sampling and length parameters reach the answering model. Parameters that concern OpenAI's own service, such as `metadata`, are accepted and named in the header `Saegim-Ignored-Parameters`. Others are refused by name. */
export interface CompletionBody {
  model?: string;
  messages: CompletionMessage[];
  stream?: boolean | null;
  stream_options?: StreamOptions | null;
  n?: number | null;
  tools?: ToolBody[] | null;
  tool_choice?: string | Record<string, unknown> | null;
  parallel_tool_calls?: boolean | null;
  user?: string | null;
  functions?: (Record<string, unknown>)[] | null;
  response_format?: ResponseFormat | null;
  modalities?: string[] | null;
  logprobs?: boolean | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  stop?: string | string[] | null;
  seed?: number | null;
  logit_bias?: unknown;
  top_logprobs?: unknown;
  function_call?: unknown;
  safety_identifier?: unknown;
  metadata?: unknown;
  store?: unknown;
  service_tier?: unknown;
  reasoning_effort?: unknown;
  verbosity?: unknown;
  prediction?: unknown;
  prompt_cache_key?: unknown;
  prompt_cache_retention?: unknown;
}

/** The only choice. `finish_reason` is `length` if the answer is incomplete, and `tool_calls` if the client is to run tools before it. */
export interface CompletionChoice {
  index?: number;
  message: AnswerMessage;
  finish_reason: "stop" | "length" | "tool_calls";
  logprobs?: null;
}

/** One message of the client's history. One of the role `tool` has the result of a call. */
export interface CompletionMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
  content?: string | TextPart[] | null;
  name?: unknown;
  refusal?: unknown;
  annotations?: unknown;
  audio?: unknown;
  function_call?: unknown;
  tool_calls?: ToolCall[] | null;
  tool_call_id?: string | null;
}

/** Whether memories are made of what the user says (`learning`), and used for answers (`using`). */
export interface ConsentBody {
  learning: boolean;
  using: boolean;
}

/** Number of new digests. */
export interface ConsolidatedView {
  digests: number;
}

/** The content of an assistant version. */
export interface ContentBody {
  name: string;
  persona: string;
  policy?: string;
  locale?: "ko" | "en";
  collections?: string[];
  config?: Record<string, unknown>;
}

/** Who said or confirmed a record. `memory_id` and `turn_id` are set for one's own; `name` and `quote` are empty for callers who may not share anything themselves. */
export interface ContributionView {
  name: string;
  quote: string;
  said_at: string;
  shared_at: string;
  mine: boolean;
  memory_id: string | null;
  turn_id: string | null;
}

/** Another document with the same text, or nearly the same, that the caller may read. */
export interface CopyView {
  id: string;
  document_id: string;
  title: string;
  collection: string;
  is_exact: boolean;
}

/** The corrected fields. Omitted fields stay as they are. */
export interface CorrectionBody {
  content?: string | null;
  type?: MemoryType | null;
  topic?: string | null;
  importance?: number | null;
  valid_from?: string | null;
  valid_to?: string | null;
  reason?: string;
}

/** Message counts by name, each name once, without content. */
export interface CountsBody {
  counts: MessageCount[];
}

/** Limits of one synchronisation. */
export interface CrawlLimitsBody {
  items?: number;
  bytes_each?: number;
  bytes_total?: number;
  delay_seconds?: number;
}

/** The kind of credential of a caller. */
export type CredentialKind = "key" | "token" | "issuer" | "account";

/** Reason before score, so that a model reasons first. */
export interface CriterionScore {
  reason: string;
  score: number;
}

/** Turns, tokens, cost and latency of one day. */
export interface DayView {
  day: string;
  turns: number;
  escalated: number;
  unanswered: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  p50_ms: number;
  p95_ms: number;
}

/** How many documents and failed files were deleted. */
export interface DeletedDocuments {
  deleted: number;
}

/** Number of deleted turns. */
export interface DeletedTurns {
  turns: number;
}

/** Deliveries, newest first. Pass `next_before` as `before` for the next page. */
export interface DeliveryPage {
  deliveries: DeliveryView[];
  next_before: string | null;
}

export type DeliveryState = "waiting" | "delivered" | "failed";

/** A delivery of an event: attempts, and the status or error of the last one. */
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

/** OBSERVATION: a statement that was made several times. PROFILE: a line of the profile. ENTITY: the records of one topic. */
export type DerivedKind = "observation" | "profile" | "entity";

/** What follows from the memories of a user. */
export interface DerivedList {
  derived: DerivedView[];
}

/** A memory behind a conclusion, with the words it comes from. */
export interface DerivedSourceView {
  memory_id: string;
  type: MemoryType;
  content: string;
  quote: string;
  said_at: string;
  sources: string[];
  superseded_by: string | null;
}

/** A conclusion: an observation, a line of the profile, or the page of a topic. `against` are memories that were replaced. `proofs` counts the turns that said it. */
export interface DerivedView {
  derived_id: string;
  kind: DerivedKind;
  title: string;
  content: string;
  part: ProfilePart | null;
  proofs: number;
  confidence: number;
  first_seen: string;
  last_seen: string;
  undone: boolean;
  sources: DerivedSourceView[];
  against: DerivedSourceView[];
}

/** Documents by their `id`. */
export interface DocumentIds {
  document_ids: string[];
}

/** How a document came in: by an upload, or from a source of this kind. */
export type DocumentOrigin = "upload" | "folder" | "urls" | "sitemap" | "s3";

/** Documents. Pass `next_before` as `before` for the next page. Files that are being imported or have failed come first, on the first page, for callers who may add documents. */
export interface DocumentPage {
  documents: ListedDocumentView[];
  next_before: string | null;
}

/** A passage of a document with its headings and its position, counted from 0. */
export interface DocumentPassageView {
  passage_id: string;
  path: string[];
  text: string;
  position: number;
  locator: LocatorView | null;
}

/** A section of a document: its headings, the position of its first passage, and how many it has. */
export interface DocumentSectionView {
  path: string[];
  position: number;
  passages: number;
}

export type DocumentSort = "newest" | "title" | "size";

export type DocumentState = "ready" | "importing" | "failed";

/** What a list can be narrowed to: documents not changed for long, or with copies. */
export type DocumentTrait = "stale" | "duplicate";

/** A document. `document_id` is its ID in the source system. */
export interface DocumentView {
  id: string;
  document_id: string;
  type: string;
  title: string;
  version: string;
  has_original: boolean;
}

/** A notice to post now. `text` is null if no provider knew the weather. */
export interface DueNoticeView {
  notice_id: string;
  channel_id: string;
  place: string;
  text: string | null;
}

/** Another message instead of that of a turn. */
export interface EditBody {
  selected_doc_ids?: string[];
  message: string;
  attached_doc_ids?: string[] | null;
}

/** What a turn did to memory. */
export type EffectKind = "remembered" | "forgotten" | "left_out" | "undone";

/** A change of memory that a turn made: `remembered` and `forgotten` name a memory, `left_out` a turn, `undone` the turn whose changes were taken back. `text` is what was remembered or forgotten; of a stored turn only what is still remembered. `undone`: it was taken back since. */
export interface EffectView {
  kind: EffectKind;
  id: string;
  ref?: string | null;
  text?: string;
  undone?: boolean;
}

/** What must not leave to a provider: types of memories (`episode` are earlier turns), pinned facts, and names, e-mail addresses and phone numbers, which placeholders then stand for. */
export interface EgressChange {
  withheld_types?: (MemoryType | "episode")[];
  withholds_pinned?: boolean;
  uses_pseudonyms?: boolean;
}

/** A value that is preserved exactly, with its key and the last turn that contains it. */
export interface EntityView {
  key: string;
  value: string;
  turn?: number;
}

/** The member to erase: the caller (`me`), or another member with a reason (`member_id`). */
export interface ErasureBody {
  member_id?: string | null;
  me?: boolean;
  reason?: string;
}

/** The public key (Ed25519, hex) that verifies the tenant's erasure receipts. */
export interface ErasurePublicKeyView {
  public_key: string;
}

export type ErasureState = "planned" | "started" | "key_destroyed" | "done" | "cancelled";

/** An erasure, with its receipt and signature (hex) once it is done. It starts at `runs_at` and can be cancelled until then. */
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

/** Share of turns that the strong model answered, and the saving compared with always using it. `saving` is null if no turn was escalated or the strong model has no list price. */
export interface EscalationView {
  turns: number;
  escalated: number;
  share: number | null;
  strong_model: string | null;
  cost_usd: number;
  strong_only_usd: number | null;
  saving: number | null;
}

/** A query and, if known, the facts that memory should contain for it. */
export interface EvaluationBody {
  query: string;
  facts?: FactBody[];
}

/** The judgement. `judged_by` is `fallback` if no judge model is configured. */
export interface EvaluationView {
  judgement: Judgement;
  judged_by: "model" | "fallback";
  tokens: number;
}

/** Events, newest first. Pass `next_before` as `before` for the next page. */
export interface EventPage {
  events: AuditEventView[];
  next_before: string | null;
}

/** The file format of exports and imports. */
export interface ExportView {
  format?: "saegim-memory/1";
  memories: PortableRecordView[];
}

/** Extraction state of a turn. LEFT_OUT: the user asked not to remember it, or took it back. FAILED: the output of the model was invalid; it can be retried. OFF: memory is off. */
export type ExtractionStatus = "waiting" | "read" | "left_out" | "failed" | "off";

/** A fact that memory should contain: its value, and the words that identify it. */
export interface FactBody {
  about: string[];
  value: string;
  stale?: string[];
}

/** A job whose retries are exhausted, with the class of its last error. */
export interface FailedJobView {
  job_id: number;
  kind: string;
  failures: number;
  error: string;
  failed_at: string;
}

/** An item that failed, with its error as a code and in words. */
export interface FailingView {
  key: string;
  error: string;
  message: string;
}

/** A question with its answer, and the shared question or the cluster that it answers. */
export interface FaqBody {
  question: string;
  answer: string;
  collection_id: string;
  turn_id?: string | null;
  terms?: string[];
}

/** Whether a candidate was selected, or why not. */
export type Fate = "taken" | "over_budget" | "near_duplicate" | "below_the_rest" | "out_of_time";

/** Feedback on an answer, with an optional correction. With `for_evaluation`, the user agrees that editors and administrators read the question and the correction, and that the turn and the turns before it become a masked evaluation case. */
export interface FeedbackBody {
  thumb: "up" | "down";
  correction?: string | null;
  for_evaluation?: boolean;
}

/** The state of a file of an ingest. */
export type FileState = "receiving" | "waiting" | "reading" | "storing" | "done" | "failed" | "cancelled";

/** Progress of a file: `stored` of `passages` are indexed, `embedded` of them were new. */
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
  document_id: string | null;
  message: string | null;
}

/** Number of deleted memories; `batch` names them for an undo. */
export interface ForgottenBatchView {
  forgotten: number;
  batch: string;
}

/** Number of deleted records. */
export interface ForgottenMemories {
  forgotten: number;
}

/** A model that can be connected in one step: of a server on the machine of Saegim, or of a provider whose key is in the environment variable `key_variable`. */
export interface FoundModelView {
  name: string;
  provider: "openai" | "anthropic" | "gemini" | "ollama" | "openai-compatible";
  model: string;
  base_url: string | null;
  key_variable: string | null;
}

/** A search result, with the score of each retriever and of the reranker, if there is one. */
export interface FoundPassageView {
  passage_id: string;
  document: DocumentView;
  path: string[];
  text: string;
  locator: LocatorView | null;
  score: number;
  lexical: number | null;
  dense: number | null;
  reranked: number | null;
  is_stale: boolean;
  changed_at: string;
  copies: DocumentView[];
}

/** The objects under a prefix of an S3-compatible bucket. */
export interface FromBucket {
  kind: "s3";
  endpoint: string;
  bucket: string;
  prefix?: string;
  region?: string;
  access_key: string;
  secret_key: string;
}

/** The pages of a sitemap, on the same host. */
export interface FromSitemap {
  kind: "sitemap";
  url: string;
}

/** A list of pages. */
export interface FromUrls {
  kind: "urls";
  urls: string[];
}

/** A function of the client, with the JSON schema of its arguments. */
export interface FunctionBody {
  name: string;
  description?: string | null;
  parameters?: Record<string, unknown> | null;
  strict?: unknown;
}

/** A group, with the number of its members, open invitations and valid keys, and of the collections that it may read. */
export interface GroupView {
  name: string;
  members: number;
  invitations: number;
  keys: number;
  collections: number;
}

/** Changes to a guild. Omitted fields stay as they are. */
export interface GuildChange {
  locale?: "ko" | "en" | null;
  persona?: string | null;
  rules?: string | null;
  log_channel?: string | null;
  store_messages?: boolean | null;
  user_per_minute?: number | null;
  guild_per_minute?: number | null;
}

/** Settings of a guild and of its channels. */
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

/** Number of notified webhooks. */
export interface HandedOff {
  notified: number;
}

/** A name on a channel that is linked to the caller. */
export interface IdentityView {
  identity_id: string;
  channel: string;
  name: string;
  linked_at: string;
}

/** An import. Send larger exports in several requests. */
export interface ImportBody {
  format?: "saegim-memory/1";
  memories: PortableRecordView[];
}

export type ImportState = "waiting" | "done";

/** Progress of an import: `done` of `total` memories are stored. */
export interface ImportView {
  import_id: string;
  state: ImportState;
  total: number;
  done: number;
}

/** An ingest with its files. `over` is true when all of them are finished. */
export interface IngestView {
  ingest_id: string;
  over: boolean;
  cancelled: boolean;
  files: FileView[];
}

/** A person to invite. */
export interface InvitationBody {
  email: string;
  role?: Role;
  groups?: string[];
  name?: string;
}

/** An invitation that nobody has accepted, without its link. */
export interface InvitationView {
  invitation_id: string;
  email: string;
  name: string;
  role: Role;
  groups: string[];
  invited_by: string;
  created_at: string;
  expires_at: string;
  expired: boolean;
}

/** An OIDC issuer: its URL, the expected audience, and its keys or their URL. */
export interface IssuerBody {
  url: string;
  audience: string;
  jwks_url?: string | null;
  jwks?: Record<string, unknown> | null;
  assistant_id?: string | null;
  user_claim?: string;
  groups_claim?: string | null;
}

/** The URL of an issuer to test. */
export interface IssuerTestBody {
  url: string;
}

/** Whether an issuer can be used: the address of its keys for `PUT /v1/issuers`, or the problem in words. */
export interface IssuerTestView {
  ok: boolean;
  problem: string | null;
  detail: string;
  jwks_url: string | null;
}

/** An issuer that the tenant trusts. */
export interface IssuerView {
  issuer_id: string;
  url: string;
  audience: string;
  jwks_url: string | null;
  assistant_id: string;
  user_claim: string;
  groups_claim: string | null;
}

/** A passage or memory that was considered. `fate` says whether it was used. */
export interface ItemView {
  kind: string;
  id: string;
  title: string;
  fate: string;
  tokens: number;
  signals: Record<string, number>;
  turn?: string | null;
  team?: boolean;
}

/** A judgement with its overall score, which the model never computes. */
export interface Judgement {
  scores: Scores;
  helpful_info?: string[];
  missing_info?: string[];
  summary: string;
  overall_score: number;
}

/** How long the old key stays valid. A reason is required if the key can read data of others. */
export interface KeyRotationBody {
  overlap_seconds?: number;
  reason?: string;
}

/** A key, without its secret: whose it is, who made it, and whether this request uses it. */
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
  member_name: string | null;
  made_by_name: string | null;
  current: boolean;
}

/** A limit: at most `most` of a resource in any `window_seconds`. */
export interface LimitShape {
  subject: "key" | "user" | "tenant";
  resource: Resource;
  window_seconds: number;
  most: number;
}

/** Limits of the tenant. Each replaces the default limits of its subject and resource. */
export interface LimitsBody {
  limits: LimitShape[];
}

/** A code created on another channel. */
export interface LinkBody {
  code: string;
}

/** A document in a list. `id` is unique, also where a private and a shared document have the same `document_id`; routes that take a `document_id` take the `id`, too. */
export interface ListedDocumentView {
  id: string;
  document_id: string;
  type: string;
  title: string;
  version: string;
  has_original: boolean;
  kind: string;
  collection: string;
  collection_id: string;
  audience: string[];
  mine: boolean;
  passages: number;
  bytes: number | null;
  state: DocumentState;
  error: string | null;
  message: string | null;
  source: string | null;
  origin: DocumentOrigin;
  uploaded_by: string | null;
  first_seen_at: string | null;
  last_seen_at: string | null;
  changed_at: string;
  is_stale: boolean;
  copies: CopyView[];
  updated_at: string;
}

/** A session. The title is the user's, else the model's, else the first message without greetings. `turns` counts the messages, with all variants. `share_id` is that of its link, if it is shared. */
export interface ListedSessionView {
  session_id: string;
  assistant_id: string;
  title: string;
  turns: number;
  used_at: string;
  temporary: boolean;
  pinned: boolean;
  share_id: string | null;
  shared_at: string | null;
}

/** Files of the client, by name, with the SHA-256 of their content. */
export interface LocalFiles {
  files: Record<string, string>;
}

/** Where a passage begins in its file, counted from 1: a page, a slide, or a row of a sheet. `last` is the last page or slide of a passage over several. */
export interface LocatorView {
  page?: number | null;
  slide?: number | null;
  sheet?: string | null;
  row?: number | null;
  last?: number | null;
}

/** A document with its passages in order, and related documents. */
export interface LookupView {
  document: ListedDocumentView;
  passages: PassageView[];
  related: DocumentView[];
}

/** The user, role and permissions of the credential, the roles that it may give to people and to keys, and the valid keys that are bound to the user, whoever made them. */
export interface MeView {
  user_id: string;
  profile_id: string;
  role: Role;
  permissions: Permission[];
  groups: string[];
  credential: CredentialKind;
  name: string;
  email: string | null;
  grantable_roles: Role[];
  grantable_key_roles: Role[];
  keys: KeyView[];
}

/** Changes to a member. Omitted fields stay as they are. */
export interface MemberBody {
  role?: Role | null;
  groups?: string[] | null;
  disabled?: boolean | null;
}

/** Members in order. Pass `next_after` as `after` for the next page. */
export interface MemberPage {
  members: MemberView[];
  next_after: string | null;
}

/** A member. `name` is that of the account, or the name in the tenant's own system. `role` is the highest of the member's own and those of its keys. */
export interface MemberView {
  member_id: string;
  name: string;
  email: string | null;
  role: Role;
  groups: string[];
  disabled: boolean;
  has_account: boolean;
  created_at: string;
  last_seen: string | null;
}

/** An answer from memory in Markdown, with markers such as [M1]. `outcome` is `unknown` if memory has no answer, with a list of memories if no model wrote it, and `off` if it may not be used; `confidence` is from 0 to 1; `by` is `fallback` if the answer only quotes or lists memories. */
export interface MemoryAnswerView {
  text: string;
  outcome: AskOutcome;
  confidence: number;
  citations: MemoryCitationView[];
  by: CallSource;
}

/** Token budgets of memory in the context. Omitted fields have their defaults. */
export interface MemoryCaps {
  memory_tokens?: number | null;
  item_tokens?: number | null;
  pinned_tokens?: number | null;
}

/** What an answer cites: a memory, or a turn. `quote` is what was said, if it is known; a memory that another one replaced has `valid_to` and `superseded_by`, and one that rests on something that changed has `unsure_since`. */
export interface MemoryCitationView {
  marker: string;
  kind: "record" | "turn";
  memory_id: string | null;
  turn_id: string | null;
  text: string;
  quote: string;
  said_at: string;
  valid_to: string | null;
  superseded_by: string | null;
  unsure_since: string | null;
}

/** Numbers of memories; `types` counts the current ones of each type. `to_review` are those that rules saved up to 0.15.4. */
export interface MemoryCountsView {
  total: number;
  pinned: number;
  to_review: number;
  forgotten: number;
  types: Record<string, number>;
}

/** A change to a memory. */
export interface MemoryEventView {
  action: Action;
  actor: Actor;
  at: string;
  reason: string;
}

/** Memories by their IDs. */
export interface MemoryIds {
  memory_ids: string[];
}

/** Memories, newest first. Pass `next_before` as `before` for the next page. */
export interface MemoryPage {
  memories: MemoryView[];
  next_before: string | null;
}

/** A question about yourself. */
export interface MemoryQuestionBody {
  question: string;
}

/** The version to restore. */
export interface MemoryRollbackBody {
  version: number;
}

export type MemoryType = "fact" | "preference" | "constraint" | "decision" | "todo" | "timeline" | "profile" | "note";

/** A version of a memory; `at` is when it was written. */
export interface MemoryVersionView {
  version: number;
  type: MemoryType;
  content: string;
  importance: number;
  origin: Origin;
  at: string;
}

/** A memory. `rests_on` are the memories that it rests on; `unsure_since` is when one of them changed, until the user confirms it. */
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
  rests_on: string[];
  unsure_since: string | null;
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

/** Number of messages of one member since the last report. */
export interface MessageCount {
  name: string;
  messages: number;
}

/** A new credential. `secret` is shown only once. */
export interface MintedView {
  id: string;
  secret: string;
  expires_at: string | null;
}

/** An assistant as an OpenAI model. `id` is its name in lower case with hyphens. */
export interface Model {
  id: string;
  assistant_id: string;
  object?: "model";
  created?: number;
  owned_by?: "saegim";
  name: string;
}

/** The results of test calls, by role. */
export interface ModelCheckList {
  checks: ModelCheckView[];
}

/** The result of a test call: its duration, list prices in US dollars per million tokens, or the provider's status and message. `takes_tools` says whether the model of a role that writes answers called a tool; null is unknown. `usd_per_1000_turns` is as in the list of roles. */
export interface ModelCheckView {
  role: ModelRole;
  model: string;
  ok: boolean;
  seconds: number;
  fault: ModelFault | null;
  status: number | null;
  message: string | null;
  input_price: string | null;
  output_price: string | null;
  takes_tools: boolean | null;
  usd_per_1000_turns: string | null;
}

/** The tenant's model connections, oldest first, and models that were found, local ones first. */
export interface ModelConnectionList {
  connections: ModelConnectionView[];
  found: FoundModelView[];
}

/** A model connection. Of its key, only the last characters are shown; of a short key none, so that `key_hint` is empty. */
export interface ModelConnectionView {
  connection_id: string;
  name: string;
  provider: "openai" | "anthropic" | "gemini" | "ollama" | "openai-compatible";
  base_url: string;
  key_hint: string | null;
  step_seconds: number;
  first_token_seconds: number;
  turn_seconds: number;
  background_seconds: number;
  created_at: string;
  withheld_types: string[];
  withholds_pinned: boolean;
  uses_pseudonyms: boolean;
  without_tools: string[];
}

/** Why a model did not complete its step. */
export type ModelFault = "not_configured" | "refused" | "http_error" | "timeout" | "broken_output" | "empty_output" | "circuit_open" | "limit_reached" | "stopped";

/** The assistants of the credential. */
export interface ModelList {
  object?: "list";
  data: Model[];
}

/** The kind of work a model does; each role has its own model. */
export type ModelRole = "lite" | "strong" | "summarizer" | "extractor" | "assessor" | "judge";

/** The model of every role. */
export interface ModelRoleList {
  roles: ModelRoleView[];
}

/** The model of a role. `source` is `connection`, `environment` (the server's default) or `none`. `takes_tools` is null for roles that write no answers, and `usd_per_1000_turns`, the estimated cost of the role in 1,000 turns, if no price is known. */
export interface ModelRoleView {
  role: ModelRole;
  source: "connection" | "environment" | "none";
  model: string | null;
  connection_id: string | null;
  connection: string | null;
  takes_tools: boolean | null;
  usd_per_1000_turns: string | null;
}

/** Number of memories of a month. */
export interface MonthView {
  year: number;
  month: number;
  records: number;
}

/** The collection of the files, and their document type unless a file sets its own. */
export interface NewIngest {
  collection?: string;
  type?: string;
  own?: boolean;
}

/** A new invitation. `link` is shown only once; whoever opens it chooses the password. */
export interface NewInvitationView {
  invitation_id: string;
  link: string;
  expires_at: string;
}

/** A key to create: for the caller (`mine`) or a user. Without either, it may act as any user of the tenant. */
export interface NewKeyBody {
  name: string;
  role?: Role;
  user?: string | null;
  mine?: boolean;
  assistant_id?: string | null;
  scopes?: Permission[] | null;
  groups?: string[];
  expires_at?: string | null;
  reason?: string;
}

/** A memory to add. */
export interface NewMemoryBody {
  content: string;
  type?: MemoryType;
  topic?: string;
  retention?: string | null;
}

/** A provider with its key, the roles that use it, and the model; without roles, all of them. Without a model, the provider's default of each role. Time limits are in seconds; those that are not given depend on whether the server is hosted or local. With `connection_id` it changes that connection: roles and models stay, and so do name, limits and key if they are omitted. The key stays only at the same server. With `found`, the name of a model in the list of found ones, `provider` and `model` are as listed, and the server supplies the URL and the key. */
export interface NewModelConnection {
  provider: "openai" | "anthropic" | "gemini" | "ollama" | "openai-compatible";
  base_url?: string | null;
  api_key?: string | null;
  connection_id?: string | null;
  found?: string | null;
  name?: string | null;
  roles?: ModelRole[];
  model?: string | null;
  step_seconds?: number | null;
  first_token_seconds?: number | null;
  turn_seconds?: number | null;
  background_seconds?: number | null;
  without_tools?: string[] | null;
}

/** A memory of the caller to share, or a new statement. Without `collection_id` the first collection that the caller can read. */
export interface NewTeamMemoryBody {
  memory_id?: string | null;
  content?: string | null;
  type?: MemoryType;
  topic?: string;
  collection_id?: string | null;
}

/** A token for the user in `Saegim-User` and the profile in `Saegim-Profile`. */
export interface NewToken {
  seconds?: number;
  assistant_id?: string | null;
  origins?: string[];
  groups?: string[];
  may?: ("chat:instructions" | "self:link" | "self:export" | "self:erase" | "library:own")[];
}

/** An https URL and the events to deliver. */
export interface NewWebhook {
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
}

/** A new webhook. `secret` signs deliveries and is shown only once. */
export interface NewWebhookView {
  webhook_id: string;
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
  created_at: string;
  secret: string;
}

/** A daily weather notice for a place, in a channel. */
export interface NoticeBody {
  channel_id: string;
  place: string;
  at: string;
  time_zone?: string;
}

/** A daily weather notice. */
export interface NoticeView {
  channel_id: string;
  place: string;
  at: string;
  time_zone?: string;
  notice_id: string;
}

/** The error in OpenAI's format; only on OpenAI-compatible routes. */
export interface OpenAIError {
  message: string;
  type: string;
  param?: string | null;
  code: string;
}

/** Who made a record. Records of the fallback can be extracted again by a model. */
export type Origin = "model" | "fallback" | "person";

/** Another document that has the cited text, by its `id`. */
export interface OtherPlaceView {
  id: string;
  title: string;
}

/** A passage with its document and section. */
export interface PassageView {
  passage_id: string;
  document: DocumentView;
  path: string[];
  text: string;
  locator: LocatorView | null;
}

/** Passages in order. Pass `next_after` as `after` for the next page. */
export interface PassagesPage {
  passages: DocumentPassageView[];
  total: number;
  next_after: number | null;
}

/** The current and the new password. */
export interface PasswordBody {
  current: string;
  new: string;
}

/** A permission of a credential; the scopes of a key are a subset. */
export type Permission = "chat" | "chat:instructions" | "self" | "self:link" | "self:export" | "self:erase" | "library:read" | "library:own" | "library:write" | "assistants:draft" | "assistants:publish" | "tokens" | "collections" | "members" | "keys" | "webhooks" | "models" | "guilds" | "limits" | "usage" | "audit" | "others:read" | "others:erase" | "tenant";

/** Whether a memory is part of every context. */
export interface PinBody {
  pinned: boolean;
}

/** A memory in an export file. */
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

/** A draft message with the options of a chat request. */
export interface PreviewBody {
  selected_doc_ids?: string[];
  chosen_memory_ids?: string[];
  use_memory?: boolean;
  use_pinned?: boolean;
  memory_caps?: MemoryCaps;
  message?: string;
  session_id?: string | null;
}

/** The context that the model would receive: blocks with budgets, and all candidate items. */
export interface PreviewView {
  blocks: BlockView[];
  items: ItemView[];
  tokens: number;
  budget: number;
  degraded: string[];
}

/** An error. `code` is stable; `title` is for people and translated. */
export interface Problem {
  type: string;
  code: string;
  title: string;
  status: number;
  detail?: string | null;
  request_id?: string | null;
  error?: OpenAIError | null;
}

/** STABLE: core records, profile, constraints, preferences. RECENT: plans, decisions, to-dos. */
export type ProfilePart = "stable" | "recent";

/** A profile of the caller. `current` is the profile of this request. */
export interface ProfileView {
  profile_id: string;
  name: string;
  created_at: string;
  current: boolean;
}

/** A provider, its base URL and key. Without a URL, the provider's own. */
export interface ProviderAccess {
  provider: "openai" | "anthropic" | "gemini" | "ollama" | "openai-compatible";
  base_url?: string | null;
  api_key?: string | null;
}

/** Questions of at least three people, told by terms that at least three of them used. */
export interface QuestionClusterView {
  terms: string[];
  people: number;
  questions: number;
  last_at: string;
}

/** Number of FAQ entries and of other passages that a search returns, the ranking weights, and after how many months without a change a document is stale (0: never). */
export interface RankingView {
  faq?: number;
  other?: number;
  weights?: WeightsView;
  stale_months?: number;
}

/** Readiness of the process: it is warm, Postgres has the current schema, and a worker ran in the last minute. The other fields need the metrics key, or a request from the same machine. */
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

/** A query to memory. */
export interface RecallBody {
  message: string;
  count?: number | null;
  tokens?: number | null;
  types?: MemoryType[];
  chosen?: string[];
  as_of?: string | null;
}

/** A recent turn as the model would see it; long texts are shortened. */
export interface RecentTurnView {
  number: number;
  message: string;
  answer: string;
}

/** Memories relevant to a message within the token budgets, and those that were dropped. */
export interface RecollectionView {
  pinned: CandidateView[];
  records: CandidateView[];
  episodes: CandidateView[];
  dropped: CandidateView[];
}

export type RecordSort = "newest" | "oldest" | "importance";

/** A link to choose a new password, to hand to the member. It is shown only once. */
export interface ResetLinkView {
  link: string;
  expires_at: string;
}

export type Resource = "requests" | "tokens" | "microdollars";

/** The response format. Only `text` is accepted. */
export interface ResponseFormat {
  type?: string;
  json_schema?: unknown;
}

/** Number of restored memories. */
export interface RestoredView {
  restored: number;
}

/** The retention label of a memory; null for none. */
export interface RetentionBody {
  label: string | null;
}

export type Role = "owner" | "admin" | "editor" | "member" | "auditor" | "minter";

/** Roles, and the connection and model they use from now on. Without a connection, they use the server's default; without roles, it is for all of them. */
export interface RoleAssignment {
  connection_id?: string | null;
  roles?: ModelRole[];
  model?: string | null;
}

/** A kind of question: how it is recognised, and how it is searched. */
export interface RouteConfig {
  name: string;
  about: string;
  words?: string[];
  query_prompt?: string;
  query_forms?: string[];
  prefers?: string[];
}

/** Right answers of this run and the one before it, to the questions that both have. */
export interface RunComparisonView {
  before: string;
  questions: number;
  right: number;
  right_before: number;
}

/** A run with its results. */
export interface RunReportView {
  run_id: string;
  state: "running" | "done" | "stopped" | "failed";
  error: string | null;
  total: number;
  done: number;
  right_answers: number;
  score: number | null;
  version: number | null;
  created_at: string;
  finished_at: string | null;
  results: RunResultView[];
  comparison: RunComparisonView | null;
}

/** The answer to a question. `rank` is the place of the first passage of the search with what is expected; `right_before` is that of the run before, if it had the question. */
export interface RunResultView {
  question: string;
  expected: string;
  answer: string;
  found: boolean;
  rank: number | null;
  right: boolean;
  abstained: boolean;
  right_before: boolean | null;
}

/** A run. `score` is the share of right answers; `stopped` is a run that was refused, with the code in `error`, and `failed` one that broke off; `version` is that of the assistant, if it has versions. */
export interface RunView {
  run_id: string;
  state: "running" | "done" | "stopped" | "failed";
  error: string | null;
  total: number;
  done: number;
  right_answers: number;
  score: number | null;
  version: number | null;
  created_at: string;
  finished_at: string | null;
}

/** Runs, newest first. */
export interface RunsView {
  runs: RunView[];
}

export interface Scores {
  relevance: CriterionScore;
  completeness: CriterionScore;
  accuracy: CriterionScore;
  noise: CriterionScore;
}

/** A search query. Without filters, a search returns `faq` FAQ entries and `other` passages. The defaults are those of the tenant: 3 and 7, unless `PUT /v1/ranking` changed them. */
export interface SearchBody {
  query: string;
  faq?: number | null;
  other?: number | null;
  types?: string[];
  has_steps?: boolean | null;
  has_conditions?: boolean | null;
  has_table?: boolean | null;
  collection_id?: string | null;
}

/** Search results, best first. `degraded` lists services that were unavailable. */
export interface SearchView {
  found: FoundPassageView[];
  degraded: string[];
}

/** New values of a session. An empty title brings the automatic one back. */
export interface SessionBody {
  title?: string | null;
  pinned?: boolean | null;
}

/** What the model would see of a session for the next message. */
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

/** Sessions, most recently used first. Pass `next_before` as `before` for the next page. */
export interface SessionPage {
  sessions: ListedSessionView[];
  next_before: string | null;
}

/** The link of a shared session. */
export interface SessionShareView {
  share_id: string;
  path: string;
  shared_at: string;
}

/** The first organisation and its owner, with the code that the server printed. */
export interface SetUpBody {
  code: string;
  organisation: string;
  name: string;
  email: string;
  password: string;
  language?: "ko" | "en";
}

/** What a new organisation has: a model, documents, other people, a first question. */
export interface SetUpProgressView {
  model: boolean;
  documents: boolean;
  members: boolean;
  asked: boolean;
}

/** Whether the server has no organisation yet. */
export interface SetUpState {
  needed: boolean;
}

/** The owner of the new organisation, who is signed in by a cookie. */
export interface SetUpView {
  user_id: string;
}

/** Usage of one group. Fields that `by` does not name are null. */
export interface ShareView {
  day: string | null;
  assistant: string | null;
  member: string | null;
  role: string | null;
  model: string | null;
  turns: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
}

/** The source of a citation marker. Without `readable` only marker and kind are set: the reader may not read the source, or it is a memory of the owner. */
export interface SharedCitationView {
  marker: string;
  kind: "passage" | "memory" | "turn" | "tool";
  readable: boolean;
  id: string;
  title: string;
  section?: string | null;
  locator?: LocatorView | null;
  document?: string | null;
  url?: string | null;
}

/** A shared session, as it was when it was shared. Pass `next_after` as `after` for the next page. */
export interface SharedSessionView {
  title: string;
  owner_name: string;
  shared_at: string;
  turns: SharedTurnView[];
  next_after: number | null;
}

/** A turn of a shared session. A turn with `continues` continues the answer of that turn. */
export interface SharedTurnView {
  turn_id: string;
  number: number;
  state: TurnState;
  message: string;
  answer: string;
  created_at: string;
  continues: string | null;
  citations: SharedCitationView[];
}

/** Usage by the groups of `by`, most expensive first. */
export interface SharesView {
  shares: ShareView[];
}

/** A source, the collection of its documents, and the interval of synchronisation. */
export interface SourceBody {
  source: FromUrls | FromSitemap | FromBucket;
  collection?: string;
  type?: string;
  every_hours?: number;
  limits?: CrawlLimitsBody;
}

/** How a source is read. */
export type SourceKind = "folder" | "urls" | "sitemap" | "s3";

/** A source. The counts are those of the running or the last synchronisation; `message` is its error in words. */
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
  message: string | null;
  documents: number;
  listed: number;
  changed: number;
  unchanged: number;
  failed: number;
  removed: number;
  failing: FailingView[];
}

/** Sources of the tenant. */
export interface SourcesView {
  sources: SourceView[];
}

/** What an assistant is for, and questions to begin with. */
export interface StartersView {
  name: string;
  description: string;
  starters: string[];
}

/** Whether the last chunk of a stream contains the usage. */
export interface StreamOptions {
  include_usage?: boolean;
  include_obfuscation?: boolean | null;
}

/** Questions to go on with, at most three. */
export interface SuggestionsView {
  suggestions: string[];
}

/** The corrected fields. Omitted fields stay as they are. */
export interface TeamMemoryChange {
  content?: string | null;
  type?: MemoryType | null;
  topic?: string | null;
}

/** Shared records, newest first. Pass `next_before` as `before` for the next page. */
export interface TeamMemoryPage {
  team_memories: TeamMemoryView[];
  next_before: string | null;
}

/** A version of a shared record and who wrote it; `mine`: the caller did. */
export interface TeamMemoryVersionView {
  version: number;
  type: MemoryType;
  content: string;
  topic: string;
  changed_at: string;
  mine: boolean;
  name: string;
}

/** A shared record. `collection` names the collection whose readers see it; `may_edit` says whether the caller may change it, `may_delete` whether the caller may delete it. */
export interface TeamMemoryView {
  team_memory_id: string;
  collection_id: string;
  collection: string;
  type: MemoryType;
  content: string;
  topic: string;
  said_at: string;
  version: number;
  changed_at: string;
  contributions: ContributionView[];
  may_edit: boolean;
  may_delete: boolean;
}

/** A question. `expected` is the id of a document that the answer must use, or words that it must contain, separated by commas. */
export interface TestQuestionView {
  question: string;
  expected: string;
}

/** All questions of an assistant. */
export interface TestQuestionsBody {
  questions: TestQuestionView[];
}

/** A part of a message. Only text is accepted. */
export interface TextPart {
  type: string;
  text?: string | null;
  image_url?: unknown;
  input_audio?: unknown;
  file?: unknown;
  refusal?: unknown;
}

/** When a search is reviewed, a draft rejected, and no result good enough to answer from. */
export interface Thresholds {
  overall?: number;
  risk?: number;
  answer_tokens?: number;
  evidence?: number;
  confidence?: number;
  sure?: number;
  review?: number;
}

/** A tool that the client runs itself. Only functions are accepted. */
export interface ToolBody {
  type?: string;
  function?: FunctionBody | null;
}

/** A call that the client is to run, or has run. */
export interface ToolCall {
  id: string;
  type?: "function";
  function: CalledFunction;
  index?: unknown;
}

/** A tool of the server that an assistant may use. */
export interface ToolView {
  name: string;
  about: string;
}

/** The trace of a turn: its route, retrieval, model calls and timings. */
export interface TraceView {
  turn_id: string;
  trace: Record<string, unknown>;
}

/** A turn that matches a search, with the sentence that matches best. */
export interface TurnHitView {
  session_id: string;
  title: string;
  turn_id: string;
  snippet: string;
  used_at: string;
}

/** Turns that match a search, best first. */
export interface TurnHits {
  hits: TurnHitView[];
}

/** State of the extraction of a turn, and the records extracted from it. */
export interface TurnMemoriesView {
  turn_id: string;
  reading: ExtractionStatus;
  remembered: TurnMemoryView[];
}

/** A record extracted from a turn, with the words of the turn that support it. */
export interface TurnMemoryView {
  memory_id: string;
  type: MemoryType;
  content: string;
  topic: string;
  quote: string;
}

/** Turns of the branch in use, oldest first. Pass `next_after` as `after` for the next page, or `next_before` as `before` for the one before. */
export interface TurnPage {
  turns: TurnView[];
  next_after: number | null;
  next_before?: number | null;
}

/** received → running (lease) → done | incomplete | failed. */
export type TurnState = "received" | "running" | "done" | "incomplete" | "failed";

/** A stored turn. `by_rule`: no model wrote the answer. `degraded` are the components that were unavailable. The texts of the citations are not stored. A session is a tree of turns: `parent_id` is the turn before this one (not known for turns of older releases), `variants` are the turns at this point, oldest first, and `variant_of` is the first of them. `answers` are those with the same message, `edits` one for each message. A turn with `continues` continues the answer of that turn; its message is empty. */
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
  by_rule: boolean;
  degraded: string[];
  proposal: "forget" | "leave_out" | null;
  effects: EffectView[];
  citations: CitationView[];
  feedback: FeedbackBody | null;
  parent_id: string | null;
  variant_of: string | null;
  continues: string | null;
  in_use: boolean;
  variants: string[];
  answers: string[];
  edits: string[];
  attachments: AttachmentView[];
}

/** Questions without an answer or with negative feedback, newest first: those that people shared, and clusters of the others. `total` counts all, as the usage by day does. */
export interface UnansweredPage {
  questions: UnansweredView[];
  clusters: QuestionClusterView[];
  total: number;
}

/** A question without an answer, or with negative feedback. */
export interface UnansweredView {
  turn_id: string;
  at: string;
  question: string;
  outcome: string;
  thumb: "up" | "down" | null;
  correction: string | null;
}

/** The names of files that need no upload. */
export interface UnchangedFiles {
  unchanged: string[];
}

/** The `batch` of a deletion, or memories. */
export interface UndoBody {
  batch?: string | null;
  memory_ids?: string[] | null;
}

/** Tokens of all model calls of the turn; 0 if no model is configured. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export type UsageKey = "day" | "assistant" | "member" | "role" | "model";

/** Days with at least one turn, oldest first. */
export interface UsageView {
  days: DayView[];
}

/** A message of the user in an earlier turn. */
export interface UserEntry {
  role: "user";
  content: string;
}

/** Result of the verification. `broken` is empty if the chain is intact. */
export interface VerifiedView {
  batches: number;
  events: number;
  unsealed: number;
  unreadable: number;
  head: string;
  broken: string[];
}

export type VersionState = "draft" | "published" | "retired";

/** Persona and rules for a channel. If both are empty, those of the guild apply. */
export interface VoiceBody {
  persona?: string;
  rules?: string;
  channel_id: string;
}

/** Persona and rules of the assistant in a channel. */
export interface VoiceView {
  persona?: string;
  rules?: string;
}

/** Event types of webhooks. */
export type WebhookEvent = "turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done" | "ping";

/** The tenant's webhooks, oldest first. */
export interface WebhookList {
  webhooks: WebhookView[];
}

/** A webhook, without its secret. */
export interface WebhookView {
  webhook_id: string;
  url: string;
  events: ("turn.done" | "turn.unanswered" | "turn.handed_off" | "ingest.done" | "erasure.done")[];
  created_at: string;
}

/** The weight of each ranking signal. `saegim tune` fits them. */
export interface WeightsView {
  dense?: number;
  focus?: number;
  feedback?: number;
  fusion?: "scores" | "ranks";
  stale?: number;
}

/** Every operation: what it takes and gives, and whether `If-Match` goes with it. */
export interface Operations {
  "DELETE /v1/assistants/{assistant_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/collections/{collection_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/documents/{document_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/erasures/{erasure_id}": { body: undefined; response: ErasureView; ifMatch: false };
  "DELETE /v1/evaluations/{run_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/guild/notices/{notice_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/identities/{identity_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/invitations/{invitation_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/issuers/{issuer_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/keys/{key_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/memories/{memory_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/model-connections/{connection_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/sessions/{session_id}": { body: undefined; response: DeletedTurns; ifMatch: false };
  "DELETE /v1/sessions/{session_id}/share": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/sources/{source_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/team-memory/{team_memory_id}": { body: undefined; response: undefined; ifMatch: false };
  "DELETE /v1/turns/{turn_id}/memories": { body: undefined; response: ForgottenMemories; ifMatch: false };
  "DELETE /v1/webhooks/{webhook_id}": { body: undefined; response: undefined; ifMatch: false };
  "GET /health/live": { body: undefined; response: Record<string, boolean>; ifMatch: false };
  "GET /health/ready": { body: undefined; response: Ready; ifMatch: false };
  "GET /metrics": { body: undefined; response: undefined; ifMatch: false };
  "GET /v1/assistant/config": { body: undefined; response: AssistantConfig_Output; ifMatch: false };
  "GET /v1/assistant/starters": { body: undefined; response: StartersView; ifMatch: false };
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
  "GET /v1/documents/{id}/original": { body: undefined; response: undefined; ifMatch: false };
  "GET /v1/documents/{id}/passages": { body: undefined; response: PassagesPage; ifMatch: false };
  "GET /v1/documents/{id}/sections": { body: undefined; response: DocumentSectionView[]; ifMatch: false };
  "GET /v1/erasures": { body: undefined; response: ErasureView[]; ifMatch: false };
  "GET /v1/erasures/public-key": { body: undefined; response: ErasurePublicKeyView; ifMatch: false };
  "GET /v1/erasures/{erasure_id}": { body: undefined; response: ErasureView; ifMatch: false };
  "GET /v1/evaluations": { body: undefined; response: RunsView; ifMatch: false };
  "GET /v1/evaluations/questions": { body: undefined; response: TestQuestionsBody; ifMatch: false };
  "GET /v1/evaluations/{run_id}": { body: undefined; response: RunReportView; ifMatch: false };
  "GET /v1/export": { body: undefined; response: Record<string, unknown>; ifMatch: false };
  "GET /v1/groups": { body: undefined; response: GroupView[]; ifMatch: false };
  "GET /v1/guild": { body: undefined; response: GuildView; ifMatch: false };
  "GET /v1/guild/channel-settings": { body: undefined; response: ChannelSettingsView; ifMatch: false };
  "GET /v1/guild/notices": { body: undefined; response: NoticeView[]; ifMatch: false };
  "GET /v1/guild/ranking": { body: undefined; response: ActiveView[]; ifMatch: false };
  "GET /v1/identities": { body: undefined; response: IdentityView[]; ifMatch: false };
  "GET /v1/ingests/{ingest_id}": { body: undefined; response: IngestView; ifMatch: false };
  "GET /v1/invitations": { body: undefined; response: InvitationView[]; ifMatch: false };
  "GET /v1/issuers": { body: undefined; response: IssuerView[]; ifMatch: false };
  "GET /v1/jobs": { body: undefined; response: BacklogView; ifMatch: false };
  "GET /v1/keys": { body: undefined; response: KeyView[]; ifMatch: false };
  "GET /v1/limits": { body: undefined; response: LimitShape[]; ifMatch: false };
  "GET /v1/me": { body: undefined; response: MeView; ifMatch: false };
  "GET /v1/members": { body: undefined; response: MemberPage; ifMatch: false };
  "GET /v1/members/{member_id}/export": { body: undefined; response: Record<string, unknown>; ifMatch: false };
  "GET /v1/memories": { body: undefined; response: MemoryPage; ifMatch: false };
  "GET /v1/memories/counts": { body: undefined; response: MemoryCountsView; ifMatch: false };
  "GET /v1/memories/export": { body: undefined; response: ExportView; ifMatch: false };
  "GET /v1/memories/imports/{import_id}": { body: undefined; response: ImportView; ifMatch: false };
  "GET /v1/memories/timeline": { body: undefined; response: MonthView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}": { body: undefined; response: MemoryView; ifMatch: false };
  "GET /v1/memories/{memory_id}/sources": { body: undefined; response: MemoryView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}/trail": { body: undefined; response: MemoryEventView[]; ifMatch: false };
  "GET /v1/memories/{memory_id}/versions": { body: undefined; response: MemoryVersionView[]; ifMatch: false };
  "GET /v1/memory/derived": { body: undefined; response: DerivedList; ifMatch: false };
  "GET /v1/model-connections": { body: undefined; response: ModelConnectionList; ifMatch: false };
  "GET /v1/model-roles": { body: undefined; response: ModelRoleList; ifMatch: false };
  "GET /v1/models": { body: undefined; response: ModelList; ifMatch: false };
  "GET /v1/models/{model_id}": { body: undefined; response: Model; ifMatch: false };
  "GET /v1/passages/{passage_id}/section": { body: undefined; response: PassageView[]; ifMatch: false };
  "GET /v1/profiles": { body: undefined; response: ProfileView[]; ifMatch: false };
  "GET /v1/ranking": { body: undefined; response: RankingView; ifMatch: false };
  "GET /v1/sessions": { body: undefined; response: SessionPage; ifMatch: false };
  "GET /v1/sessions/search": { body: undefined; response: TurnHits; ifMatch: false };
  "GET /v1/sessions/{session_id}": { body: undefined; response: ListedSessionView; ifMatch: false };
  "GET /v1/sessions/{session_id}/context": { body: undefined; response: SessionContextView; ifMatch: false };
  "GET /v1/sessions/{session_id}/turns": { body: undefined; response: TurnPage; ifMatch: false };
  "GET /v1/setup": { body: undefined; response: SetUpState; ifMatch: false };
  "GET /v1/setup/progress": { body: undefined; response: SetUpProgressView; ifMatch: false };
  "GET /v1/shared/{share_id}": { body: undefined; response: SharedSessionView; ifMatch: false };
  "GET /v1/sources": { body: undefined; response: SourcesView; ifMatch: false };
  "GET /v1/sources/{source_id}": { body: undefined; response: SourceView; ifMatch: false };
  "GET /v1/team-memory": { body: undefined; response: TeamMemoryPage; ifMatch: false };
  "GET /v1/team-memory/{team_memory_id}": { body: undefined; response: TeamMemoryView; ifMatch: false };
  "GET /v1/team-memory/{team_memory_id}/versions": { body: undefined; response: TeamMemoryVersionView[]; ifMatch: false };
  "GET /v1/tools": { body: undefined; response: ToolView[]; ifMatch: false };
  "GET /v1/turns/{turn_id}": { body: undefined; response: TurnView; ifMatch: false };
  "GET /v1/turns/{turn_id}/events": { body: undefined; response: undefined; ifMatch: false };
  "GET /v1/turns/{turn_id}/memories": { body: undefined; response: TurnMemoriesView; ifMatch: false };
  "GET /v1/turns/{turn_id}/suggestions": { body: undefined; response: SuggestionsView; ifMatch: false };
  "GET /v1/turns/{turn_id}/trace": { body: undefined; response: TraceView; ifMatch: false };
  "GET /v1/usage": { body: undefined; response: UsageView; ifMatch: false };
  "GET /v1/usage/escalation": { body: undefined; response: EscalationView; ifMatch: false };
  "GET /v1/usage/shares": { body: undefined; response: SharesView; ifMatch: false };
  "GET /v1/webhooks": { body: undefined; response: WebhookList; ifMatch: false };
  "GET /v1/webhooks/{webhook_id}/deliveries": { body: undefined; response: DeliveryPage; ifMatch: false };
  "PATCH /v1/collections/{collection_id}": { body: CollectionChange; response: undefined; ifMatch: true };
  "PATCH /v1/guild": { body: GuildChange; response: GuildView; ifMatch: true };
  "PATCH /v1/members/{member_id}": { body: MemberBody; response: MemberView; ifMatch: false };
  "PATCH /v1/memories/{memory_id}": { body: CorrectionBody; response: MemoryView; ifMatch: true };
  "PATCH /v1/sessions/{session_id}": { body: SessionBody; response: ListedSessionView; ifMatch: false };
  "PATCH /v1/team-memory/{team_memory_id}": { body: TeamMemoryChange; response: TeamMemoryView; ifMatch: true };
  "POST /v1/assistant/faq": { body: FaqBody; response: FileView; ifMatch: false };
  "POST /v1/assistants": { body: ContentBody; response: AssistantView; ifMatch: false };
  "POST /v1/assistants/{assistant_id}/publish": { body: undefined; response: AssistantVersionView; ifMatch: true };
  "POST /v1/assistants/{assistant_id}/rollback": { body: AssistantRollbackBody; response: AssistantVersionView; ifMatch: true };
  "POST /v1/audit/verify": { body: undefined; response: VerifiedView; ifMatch: false };
  "POST /v1/chat": { body: ChatBody; response: ChatReply; ifMatch: false };
  "POST /v1/chat/completions": { body: CompletionBody; response: Completion; ifMatch: false };
  "POST /v1/collections": { body: CollectionBody; response: CollectionView; ifMatch: false };
  "POST /v1/documents/delete": { body: DocumentIds; response: DeletedDocuments; ifMatch: false };
  "POST /v1/documents/{id}/reindex": { body: undefined; response: ListedDocumentView; ifMatch: false };
  "POST /v1/erasures": { body: ErasureBody; response: ErasureView; ifMatch: false };
  "POST /v1/evaluations": { body: undefined; response: RunView; ifMatch: false };
  "POST /v1/guild/activity": { body: CountsBody; response: undefined; ifMatch: false };
  "POST /v1/guild/notices": { body: NoticeBody; response: NoticeView; ifMatch: false };
  "POST /v1/guild/notices/due": { body: undefined; response: DueNoticeView[]; ifMatch: false };
  "POST /v1/identities": { body: LinkBody; response: undefined; ifMatch: false };
  "POST /v1/identities/codes": { body: undefined; response: CodeView; ifMatch: false };
  "POST /v1/ingests": { body: NewIngest; response: IngestView; ifMatch: false };
  "POST /v1/ingests/{ingest_id}/cancel": { body: undefined; response: IngestView; ifMatch: false };
  "POST /v1/ingests/{ingest_id}/unchanged": { body: LocalFiles; response: UnchangedFiles; ifMatch: false };
  "POST /v1/invitations": { body: InvitationBody; response: NewInvitationView; ifMatch: false };
  "POST /v1/issuers/test": { body: IssuerTestBody; response: IssuerTestView; ifMatch: false };
  "POST /v1/jobs/{job_id}/replay": { body: undefined; response: undefined; ifMatch: false };
  "POST /v1/keys": { body: NewKeyBody; response: MintedView; ifMatch: false };
  "POST /v1/keys/{key_id}/rotate": { body: KeyRotationBody; response: MintedView; ifMatch: false };
  "POST /v1/members/{member_id}/reset-link": { body: undefined; response: ResetLinkView; ifMatch: false };
  "POST /v1/memories": { body: NewMemoryBody; response: MemoryView; ifMatch: false };
  "POST /v1/memories/consolidate": { body: undefined; response: ConsolidatedView; ifMatch: false };
  "POST /v1/memories/forget": { body: MemoryIds; response: ForgottenBatchView; ifMatch: false };
  "POST /v1/memories/forget-all": { body: undefined; response: ForgottenBatchView; ifMatch: false };
  "POST /v1/memories/import": { body: ImportBody; response: ImportView; ifMatch: false };
  "POST /v1/memories/undo": { body: UndoBody; response: RestoredView; ifMatch: false };
  "POST /v1/memories/{memory_id}/confirm": { body: undefined; response: MemoryView; ifMatch: false };
  "POST /v1/memories/{memory_id}/rollback": { body: MemoryRollbackBody; response: MemoryView; ifMatch: true };
  "POST /v1/memories/{memory_id}/undo": { body: undefined; response: MemoryView; ifMatch: false };
  "POST /v1/memory/ask": { body: MemoryQuestionBody; response: MemoryAnswerView; ifMatch: false };
  "POST /v1/memory/derived/{derived_id}/restore": { body: undefined; response: DerivedView; ifMatch: false };
  "POST /v1/memory/derived/{derived_id}/undo": { body: undefined; response: DerivedView; ifMatch: false };
  "POST /v1/model-connections": { body: NewModelConnection; response: ModelConnectionView; ifMatch: false };
  "POST /v1/model-connections/available-models": { body: ProviderAccess; response: AvailableModels; ifMatch: false };
  "POST /v1/model-connections/test": { body: NewModelConnection; response: ModelCheckList; ifMatch: false };
  "POST /v1/model-roles/test": { body: undefined; response: ModelCheckList; ifMatch: false };
  "POST /v1/preview": { body: PreviewBody; response: PreviewView; ifMatch: false };
  "POST /v1/recall": { body: RecallBody; response: RecollectionView; ifMatch: false };
  "POST /v1/search": { body: SearchBody; response: SearchView; ifMatch: false };
  "POST /v1/sessions/{session_id}/eval": { body: EvaluationBody; response: EvaluationView; ifMatch: false };
  "POST /v1/sessions/{session_id}/restore": { body: undefined; response: ListedSessionView; ifMatch: false };
  "POST /v1/sessions/{session_id}/share": { body: undefined; response: SessionShareView; ifMatch: false };
  "POST /v1/setup": { body: SetUpBody; response: SetUpView; ifMatch: false };
  "POST /v1/sources": { body: SourceBody; response: SourceView; ifMatch: false };
  "POST /v1/sources/{source_id}/sync": { body: undefined; response: SourceView; ifMatch: false };
  "POST /v1/team-memory": { body: NewTeamMemoryBody; response: TeamMemoryView; ifMatch: false };
  "POST /v1/team-memory/{team_memory_id}/confirm": { body: undefined; response: TeamMemoryView; ifMatch: false };
  "POST /v1/tokens": { body: NewToken; response: MintedView; ifMatch: false };
  "POST /v1/turns/{turn_id}/cancel": { body: undefined; response: TurnView; ifMatch: false };
  "POST /v1/turns/{turn_id}/continue": { body: undefined; response: ChatReply; ifMatch: false };
  "POST /v1/turns/{turn_id}/edit": { body: EditBody; response: ChatReply; ifMatch: false };
  "POST /v1/turns/{turn_id}/hand-off": { body: undefined; response: HandedOff; ifMatch: false };
  "POST /v1/turns/{turn_id}/regenerate": { body: AgainBody; response: ChatReply; ifMatch: false };
  "POST /v1/webhooks": { body: NewWebhook; response: NewWebhookView; ifMatch: false };
  "POST /v1/webhooks/{webhook_id}/ping": { body: undefined; response: DeliveryView; ifMatch: false };
  "PUT /v1/assistant/config": { body: AssistantConfig_Input; response: AssistantConfig_Output; ifMatch: true };
  "PUT /v1/assistants/{assistant_id}/draft": { body: ContentBody; response: AssistantVersionView; ifMatch: true };
  "PUT /v1/consent": { body: ConsentBody; response: ConsentBody; ifMatch: false };
  "PUT /v1/consent/tenant": { body: ConsentBody; response: ConsentBody; ifMatch: false };
  "PUT /v1/evaluations/questions": { body: TestQuestionsBody; response: TestQuestionsBody; ifMatch: false };
  "PUT /v1/guild/voice": { body: VoiceBody; response: GuildView; ifMatch: false };
  "PUT /v1/ingests/{ingest_id}/files/{name}": { body: Uint8Array; response: FileView; ifMatch: false };
  "PUT /v1/issuers": { body: IssuerBody; response: undefined; ifMatch: false };
  "PUT /v1/limits": { body: LimitsBody; response: undefined; ifMatch: true };
  "PUT /v1/me/password": { body: PasswordBody; response: undefined; ifMatch: false };
  "PUT /v1/memories/{memory_id}/pin": { body: PinBody; response: MemoryView; ifMatch: false };
  "PUT /v1/memories/{memory_id}/retention": { body: RetentionBody; response: MemoryView; ifMatch: false };
  "PUT /v1/model-connections/{connection_id}/egress": { body: EgressChange; response: ModelConnectionView; ifMatch: false };
  "PUT /v1/model-roles": { body: RoleAssignment; response: ModelRoleList; ifMatch: false };
  "PUT /v1/ranking": { body: RankingView; response: RankingView; ifMatch: true };
  "PUT /v1/sessions/{session_id}/branch": { body: BranchBody; response: TurnPage; ifMatch: false };
  "PUT /v1/turns/{turn_id}/feedback": { body: FeedbackBody; response: FeedbackBody; ifMatch: false };
}
