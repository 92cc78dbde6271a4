import type { getWorkspace, listSessions, ResponseOf } from '@onward/contract'

export type WorkspaceResponse = ResponseOf<typeof getWorkspace>
export type SessionsResponse = ResponseOf<typeof listSessions>
/** A session of a browser, or a token of a program. */
export type Session = SessionsResponse['sessions'][number]
