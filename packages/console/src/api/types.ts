import type { Role } from '@onward/contract'

/** A workspace that the person may see, and the role in it. */
export type MyWorkspace = { readonly workspace_id: string; readonly name: string; readonly role: Role }

/** Who is signed in, and what the person may do. */
export type Me = {
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  /** Whether the person may do everything in all workspaces. */
  readonly operator: boolean
  /** The version of the service. */
  readonly version: string
  readonly session: { readonly id: string; readonly expires_at: string }
  readonly workspaces: readonly MyWorkspace[]
}

export type { Role }
