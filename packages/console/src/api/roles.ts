import { ROLES, type Role } from '@onward/contract/pure'

/** Returns whether someone with the role `has` may do what needs the role `needed`. Without a role, nothing is allowed. */
export function includes(has: Role | undefined, needed: Role): boolean {
  return has !== undefined && ROLES.indexOf(has) >= ROLES.indexOf(needed)
}
