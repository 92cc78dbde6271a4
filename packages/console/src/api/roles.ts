import type { Role } from '@onward/contract'

/** From the least to the most powerful. Each role may do what those before it may. */
const ORDER: readonly Role[] = ['viewer', 'developer', 'owner', 'operator']

/** Returns whether someone with the role `has` may do what needs the role `needed`. Without a role, nothing is allowed. */
export function includes(has: Role | undefined, needed: Role): boolean {
  return has !== undefined && ORDER.indexOf(has) >= ORDER.indexOf(needed)
}
