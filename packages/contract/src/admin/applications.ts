import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { success, unchanged } from '../parts.ts'
import { arrayOf, object, time, timeOrNull } from '../schemas.ts'
import { allowedUrls, name, rateLimit, rotation, slug } from './parts.ts'

/**
 * The rate limits of an application: requests a minute of all its users together and of each user, and the same for predict. Columns of the
 * database and options of the command line have the same names.
 */
export const rateLimitNames = ['rate_limit', 'user_rate_limit', 'predict_rate_limit', 'user_predict_rate_limit'] as const
export type RateLimitName = (typeof rateLimitNames)[number]
/** The rate limits of a new application. Only an operator raises one further. */
export const DEFAULT_RATE_LIMITS: { readonly [N in RateLimitName]: number } = {
  rate_limit: 60_000,
  user_rate_limit: 1_200,
  predict_rate_limit: 6_000,
  user_predict_rate_limit: 120,
}

const rateLimits = Object.fromEntries(rateLimitNames.map((each) => [each, rateLimit])) as {
  readonly [N in RateLimitName]: typeof rateLimit
}

/** `published` is for clients that were made for the published API, and that need its responses and requests exactly. */
export const clientProfile = { type: 'string', enum: ['standard', 'published'] } as const
export type ClientProfile = (typeof clientProfile.enum)[number]

/**
 * How the pages look and work on which users connect accounts. `name` replaces the name of the application there. `logo` is an https URL or a
 * `data:` URL of an image. `accent` is made darker or lighter until it can be read. `theme` is the reader's by default. With `tokens`, an app
 * that has an OAuth client can also be connected with credentials that the user enters; by default, users sign in. `limit_url` is where users
 * raise their limit: the embedded page leads there.
 */
export const connectPages = object(
  {},
  {
    name,
    logo: {
      type: 'string',
      maxLength: 32_768,
      pattern: '^(https://[^\\s"\'<>;,\\\\]+|data:image/(png|jpeg|gif|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2})$',
    },
    accent: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
    theme: { type: 'string', enum: ['light', 'dark', 'reader'] },
    tokens: { type: 'boolean' },
    limit_url: { type: 'string', maxLength: 2048, pattern: '^https://[^\\s"\'<>\\\\]+$' },
  },
)
export type ConnectPages = FromSchema<typeof connectPages>

const settings = {
  allowed_origins: allowedUrls,
  allowed_redirects: allowedUrls,
  learn_from_use: { type: 'boolean' },
  share_learning: { type: 'boolean' },
  use_model: { type: 'boolean' },
  confirm_accounts: { type: 'boolean' },
  client_profile: clientProfile,
  connect_pages: connectPages,
  ...rateLimits,
} as const

/**
 * `app_secret` is present only in the response that creates the application. A property that is omitted stays unchanged. `learn_from_use`
 * says whether prompts that led to a call are stored; the default is true. Turning it off deletes the stored prompts. `share_learning` says
 * whether prompts on which several users agree count for all users; the default is false. Changing it deletes the shared prompts.
 * `use_model` says whether predictions may use the model server, if one is configured; the default is true.
 * `confirm_accounts` says whether the application must confirm each account that a user connects. The default is true, and false with the
 * `client_profile` `published`, whose clients cannot confirm. A later change of the profile does not change it. Only an owner may turn
 * `confirm_accounts` off, or add `allowed_origins` or `allowed_redirects` to an application that exists. `connect_pages` is replaced as a whole. Only an operator may raise a rate
 * limit above its default and above what it is. A workspace has at most 1,000 applications, including applications deleted in the last 24
 * hours. `client_profile` is `standard` by default. `assignment` is valid for 45 seconds: with it, a member of the workspace can assign the
 * App-Key to the workspace in area B.
 */
export const putApplication = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key',
  access: { role: 'developer', in: ['app_key', 'workspace_id'] },
  action: 'application.change',
  summary: 'Create an application, or rename it.',
  body: object({ workspace_id: slug, name }, { ...settings, if_unchanged: unchanged({ name, ...settings }) }),
  errors: ['already_deleted', 'application_not_found', 'belongs_to_other_workspace', 'changed_since_read', 'too_many_applications'],
  response: object(
    {
      app_key: { type: 'string' },
      workspace_id: { type: 'string' },
      name: { type: 'string' },
      confirm_accounts: { type: 'boolean' },
      created: { type: 'boolean' },
      assignment: { type: 'string' },
    },
    { app_secret: { type: 'string' } },
  ),
})

/**
 * `previous_secret_valid_until` is null if only the current secret is valid. `masked_secret` and `masked_previous_secret` are the prefix and the
 * last four characters of a secret; null if there is none, or if the service cannot open it.
 */
export const listApplications = endpoint({
  method: 'get',
  path: '/admin/applications',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List applications.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  response: object({
    applications: arrayOf(
      object({
        app_key: { type: 'string' },
        workspace_id: { type: 'string' },
        name: { type: 'string' },
        allowed_origins: arrayOf({ type: 'string' }),
        allowed_redirects: arrayOf({ type: 'string' }),
        learn_from_use: { type: 'boolean' },
        share_learning: { type: 'boolean' },
        use_model: { type: 'boolean' },
        confirm_accounts: { type: 'boolean' },
        client_profile: clientProfile,
        connect_pages: connectPages,
        ...rateLimits,
        created_at: time,
        previous_secret_valid_until: timeOrNull,
        masked_secret: { type: ['string', 'null'] },
        masked_previous_secret: { type: ['string', 'null'] },
      }),
    ),
  }),
})

/** The previous secret stays valid for `keep_previous_hours`, so that servers can be changed one by one. */
export const rotateSecret = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/rotate-secret',
  access: { role: 'owner', in: ['app_key'] },
  action: 'application.rotate-secret',
  summary: 'Create a new application secret; the previous one stays valid for some hours.',
  body: rotation,
  response: object({
    app_key: { type: 'string' },
    app_secret: { type: 'string' },
    previous_valid_until: time,
  }),
})

export const deletePreviousSecret = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/previous-secret',
  access: { role: 'owner', in: ['app_key'] },
  action: 'application.delete-previous-secret',
  summary: 'End the time in which the previous application secret is valid.',
  errors: ['application_not_found'],
  response: success,
})

/**
 * Deletes an application. Its secrets are no longer valid, and its App-Key cannot be used again. Also deletes its OAuth clients, stored
 * responses of idempotency keys, past prompts and connected accounts, which are not revoked at the apps. The calls log stays until its
 * retention ends. `deleted` has the number of rows by table. Can be repeated.
 */
export const deleteApplication = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key',
  access: { role: 'owner', in: ['app_key'] },
  action: 'application.delete',
  summary: 'Delete an application with the connected accounts of its users.',
  response: object({ app_key: { type: 'string' }, deleted: { type: 'object', additionalProperties: { type: 'integer' } } }),
})

/** Deletes what an application has learned, and its recent predictions, so that it does not learn from them. */
export const clearPastPrompts = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/past-prompts',
  access: { role: 'developer', in: ['app_key'] },
  action: 'past-prompts.delete',
  summary: 'Delete the prompts that were stored because their predicted function was then called.',
  response: success,
})
