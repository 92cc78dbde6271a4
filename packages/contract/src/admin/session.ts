import { ROLES } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { arrayOf, object, orNull, time, uuid } from '../schemas.ts'
import { email, name, slug } from './parts.ts'

/** `single_sign_on` is null if people sign in with one-time links only. `label` is the text of its button. */
export const readSignInMethods = endpoint({
  method: 'get',
  path: '/admin/session/methods',
  access: { role: 'anyone' },
  summary: 'Show how people can sign in to the console.',
  errors: [],
  response: object({
    single_sign_on: orNull(object({ label: { type: 'string' } })),
  }),
})

/**
 * Shows the OpenID provider of the deployment. `provider` is null if single sign-on is not configured. `redirect_uri` is the address to
 * register at a provider; null if the service does not know its public address. The client secret is never shown.
 */
export const readSingleSignOn = endpoint({
  method: 'get',
  path: '/admin/single-sign-on',
  access: { role: 'owner', in: ['workspace_id'] },
  summary: 'Show whether single sign-on is configured, and with which provider.',
  query: { type: 'object', properties: { workspace_id: slug } },
  errors: [],
  response: object({
    redirect_uri: { type: ['string', 'null'] },
    provider: orNull(object({ issuer: { type: 'string' }, client_id: { type: 'string' }, label: { type: 'string' } })),
  }),
})

/**
 * The link stays valid. `workspace` is the only workspace that its session would show; null for all of the person. `signed_in` is the person
 * of this browser's session, which ends when the link is redeemed; null without a session.
 */
export const previewSignInLink = endpoint({
  method: 'post',
  path: '/admin/session/preview',
  access: { role: 'anyone' },
  action: null,
  summary: 'Show whom a sign-in link signs in.',
  body: object({ code: { type: 'string', minLength: 1, maxLength: 100, writeOnly: true } }),
  response: object({
    email: { type: 'string' },
    workspace: orNull(object({ workspace_id: { type: 'string' }, name: { type: 'string' } })),
    signed_in: orNull(object({ email: { type: 'string' } })),
  }),
})

/**
 * Begins a session with the code of a sign-in link, which works once. The session that the browser had before ends. The response sets two cookies: the session and an access token. Scripts
 * cannot read them.
 */
export const redeemSignInLink = endpoint({
  method: 'post',
  path: '/admin/session/redeem',
  access: { role: 'anyone' },
  action: 'session.begin',
  summary: 'Sign in with the code of a sign-in link.',
  body: object({ code: { type: 'string', minLength: 1, maxLength: 100, writeOnly: true } }),
  response: object({ expires_at: time }),
})

/**
 * An access token is valid for 45 seconds; renew it after 30. With the cookie of a session, the response sets a new cookie. With a token
 * (`Authorization: Bearer onw_ot_…`), it returns `access_token`, to be sent as `Authorization: Bearer`.
 */
export const renewSession = endpoint({
  method: 'post',
  path: '/admin/session/renew',
  access: { role: 'anyone' },
  action: null,
  summary: 'Get a new access token for a session or a token.',
  response: object({ access_expires_at: time, session_expires_at: time }, { access_token: { type: 'string' } }),
})

export const signOut = endpoint({
  method: 'post',
  path: '/admin/session/sign-out',
  access: { role: 'anyone' },
  action: 'session.end',
  summary: 'End the session and delete its cookies.',
  response: success,
})

/** Operators see all workspaces, with the role `operator`. */
export const readSession = endpoint({
  method: 'get',
  path: '/admin/session',
  access: { role: 'member' },
  summary: 'Show who is signed in, and the workspaces with the roles in them.',
  response: object({
    person: object({ id: uuid, email: { type: 'string' }, name: { type: 'string' } }),
    operator: { type: 'boolean' },

    /** The version of the service. */
    version: { type: 'string' },
    session: object({ id: uuid, expires_at: time }),
    workspaces: arrayOf(object({ workspace_id: { type: 'string' }, name: { type: 'string' }, role: { type: 'string', enum: ROLES } })),
  }),
})

/**
 * A session of a browser, or a token of a program. `method` is how the person signed in: with a one-time link or by OpenID Connect; null for
 * a token. `workspace_id` and `role` are null if the session is not restricted to them.
 */
export const listSessions = endpoint({
  method: 'get',
  path: '/admin/sessions',
  access: { role: 'member' },
  summary: 'List your own sessions and tokens, newest first.',
  query: { type: 'object', properties: { kind: { type: 'string', enum: ['browser', 'token'] } } },
  response: object({
    sessions: arrayOf(
      object({
        id: uuid,
        kind: { type: 'string', enum: ['browser', 'token'] },
        method: { type: ['string', 'null'], enum: ['link', 'oidc', null] },
        name: { type: 'string' },
        workspace_id: { type: ['string', 'null'] },
        role: { type: ['string', 'null'] },
        created_at: time,
        last_used_at: time,
        expires_at: time,
        current: { type: 'boolean' },
      }),
    ),
  }),
})

/** Its access token changes nothing more, and reads for at most 45 seconds. Operators may end the sessions of everybody. */
export const endSession = endpoint({
  method: 'delete',
  path: '/admin/sessions/:id',
  access: { role: 'member' },
  action: 'session.revoke',
  summary: 'End a session, or revoke a token.',
  response: success,
})

/**
 * Creates a token with which a program uses the admin API as you, with a role that is not above your own. `token` is shown only in this
 * answer. Without `workspace_id`, which only operators may leave out, the role must be `operator`. Tokens cannot create tokens. A person has at
 * most 25 tokens that have not expired.
 */
export const createToken = endpoint({
  method: 'post',
  path: '/admin/tokens',
  access: { role: 'viewer', in: ['workspace_id'] },
  action: 'token.create',
  summary: 'Create a token for a program.',
  body: {
    type: 'object',
    required: ['name', 'role', 'days'],
    additionalProperties: false,
    properties: { name, workspace_id: slug, role: { type: 'string', enum: ROLES }, days: { type: 'integer', minimum: 1, maximum: 365 } },
  },
  errors: ['too_many_tokens'],
  response: object({ id: uuid, token: { type: 'string' }, expires_at: time }),
})

/**
 * Makes the person if there is none with this e-mail address. `operator` makes the person an operator, or no longer one; omitted, it does not
 * change. The link works once. The code is in the fragment of the URL, which browsers do not send to servers.
 */
export const createSignInLink = endpoint({
  method: 'post',
  path: '/admin/sign-in-links',
  access: { role: 'operator' },
  action: 'sign-in-link.create',
  summary: 'Make a link with which a person signs in to the console.',
  body: object({ email }, { operator: { type: 'boolean' }, minutes: { type: 'integer', minimum: 1, maximum: 1440, default: 10 } }),
  response: object({ url: { type: 'string' }, expires_at: time }),
})
