/** The roles of a person, from the least to the most powerful. Each may do what those before it may. */
export const ROLES = ['viewer', 'developer', 'owner', 'operator'] as const

/** What a person may do in a workspace. An operator may do everything in all workspaces. */
export type Role = (typeof ROLES)[number]

/** A role that a member of a workspace can have. */
export type MemberRole = Exclude<Role, 'operator'>

export const MEMBER_ROLES = ['viewer', 'developer', 'owner'] as const satisfies readonly MemberRole[]

/**
 * Who may use an endpoint through the admin API. `anyone`: also without a session. `member`: every signed-in person, because no workspace is
 * involved. `operator`: operators only. Otherwise the role that is needed in the workspace, which the parameters of `in` name: directly, or
 * by an App-Key. They can be in the path, the query or the body. A request without any of them is for operators only. With `assigns`, the App-Key
 * may belong to no workspace yet; the endpoint itself must check that the workspace may have it.
 */
export type Access =
  | { readonly role: 'anyone' | 'member' | 'operator' }
  | { readonly role: MemberRole; readonly in: readonly WorkspaceParameter[]; readonly assigns?: true }

/** A parameter that names a workspace. */
export type WorkspaceParameter = 'workspace_id' | 'app_key'
