export { UserConnect } from './connect.ts'
export type { ConnectionOptions, RequestEvent, RequestOptions, ResponseEvent } from './connection.ts'
export {
  AccountNotConnectedError,
  ApiConnectionError,
  ApiError,
  ApiTimeoutError,
  ApprovalRequiredError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  FunctionFailedError,
  isOnwardError,
  NotFoundError,
  OnwardError,
  PagesEndedError,
  RateLimitError,
  RequestAbortedError,
  ServerError,
  TaskLimitReachedError,
  UpstreamError,
  WebhookVerificationError,
} from './errors.ts'
export type { FileInput } from './files.ts'
export {
  InsightsDeliveries,
  InsightsLimits,
  InsightsSubscriptions,
  InsightsUsers,
  OnwardInsights,
  type OnwardInsightsOptions,
} from './insights.ts'
export type { LargeNumbers } from './json.ts'
export type { List, Page } from './list.ts'
export type { Logger, LogLevel } from './log.ts'
export { type McpTokenLimits, type McpTokenOptions, UserMcp } from './mcp.ts'
export { Onward, type OnwardOptions, OnwardUser } from './onward.ts'
export type { ListOptions } from './requester.ts'
export type { CompleteResponse, RateLimit, ResponsePromise } from './response.ts'
export { hashUserId } from './signature.ts'
export type * from './types.ts'
export { UserAccounts, UserApprovals, UserApps, UserCalls } from './user.ts'
export {
  type ArgumentsOf,
  type BatchCall,
  type CallOptions,
  type FunctionArguments,
  type FunctionName,
  UserFunctions,
  type Variables,
} from './user-functions.ts'
