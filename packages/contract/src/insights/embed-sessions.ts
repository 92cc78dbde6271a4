import { endpoint } from '../endpoint.ts'
import { locale, success, userId } from '../parts.ts'
import { object, time, uuid } from '../schemas.ts'
import { appKeyQuery, exampleUser } from './tasks.ts'

/** What an embedded page can show. `usage`: tasks and limit. `accounts`: connected accounts, with links to connect them again. */
export const EMBED_VIEWS = ['usage', 'accounts'] as const

export type EmbedView = (typeof EMBED_VIEWS)[number]

const exampleSessionId = '7f0c1c5e-2f0a-4a53-9d0b-0d1f4a6f2b11'

/**
 * `url` shows the views to one user, as a page or in a frame. Open it within five minutes: its code, in the fragment, works once. The
 * session then ends after an hour without use, and `minutes` after this request at the latest. `parent_origins` are the origins of the
 * pages that may show it in a frame, a subset of the application's `embed_origins`; by default all. `return_url` is where the page leads
 * back to. `locale` is the language of the page; by default the browser's. The user need not exist yet. With the view
 * `accounts`, an API key needs the scope `accounts` too.
 */
export const createEmbedSession = endpoint({
  method: 'post',
  path: '/partners/api/insights/embed-sessions',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'embed-session.create',
  summary: 'Make a link to a read-only page on which one user sees their own usage or connected accounts.',
  query: appKeyQuery,
  body: object(
    { user_id: userId, views: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: EMBED_VIEWS } } },
    {
      return_url: { type: 'string', minLength: 1, maxLength: 2048 },
      locale,
      parent_origins: { type: 'array', maxItems: 20, uniqueItems: true, items: { type: 'string', maxLength: 300 } },
      minutes: { type: 'integer', minimum: 5, maximum: 1_440, default: 1_440 },
    },
  ),
  errors: ['application_not_found'],
  response: object({ session_id: uuid, url: { type: 'string' }, url_expires_at: time, expires_at: time }),
  examples: [
    {
      summary: 'The usage of a user, for eight hours',
      query: exampleUser.query,
      body: { user_id: 'joe@example.com', views: ['usage'], return_url: 'https://app.example.com/settings', minutes: 480 },
      response: {
        session_id: exampleSessionId,
        url: `https://onward.example.com/embed/${exampleSessionId}#code=w3Qm0sYp7TzKcB1xV9nLfA8dE2gH4jR6uN5oP0iQaZc`,
        url_expires_at: '2026-11-23T08:20:30.000Z',
        expires_at: '2026-11-23T16:15:30.000Z',
      },
    },
  ],
})

/** The usage disappears from the page at its next request. Connected accounts can be read for 45 more seconds, but not changed. */
export const endEmbedSession = endpoint({
  method: 'delete',
  path: '/partners/api/insights/embed-sessions/:session_id',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'embed-session.end',
  summary: 'End the session of an embedded page.',
  errors: ['session_not_found'],
  response: success,
  examples: [{ summary: 'End a session', params: { session_id: exampleSessionId }, response: { success: true } }],
})

/** Either `user_id` or `all` is needed, so that a forgotten parameter never ends the sessions of everybody. */
export const endEmbedSessions = endpoint({
  method: 'post',
  path: '/partners/api/insights/embed-sessions/end',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'embed-session.end-many',
  summary: 'End the sessions of all embedded pages of a user, or of all users of an application.',
  query: appKeyQuery,
  body: object({}, { user_id: userId, all: { type: 'boolean', const: true } }),
  errors: ['application_not_found'],
  response: object({ ended: { type: 'integer' } }),
  examples: [
    { summary: 'The sessions of a user', query: exampleUser.query, body: { user_id: 'joe@example.com' }, response: { ended: 2 } },
    { summary: 'All sessions of an application', query: exampleUser.query, body: { all: true }, response: { ended: 31 } },
  ],
})
