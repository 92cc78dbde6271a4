import { useMe } from '../../api/me.ts'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { Session } from './types.ts'

type Name = 'scope' | 'created' | 'used' | 'expires'

/** Returns the columns that sessions of browsers and tokens both have. `everywhere` names the scope of all workspaces. */
export function useSessionColumns(heads: Readonly<Record<Name, string>>, everywhere: string): Readonly<Record<Name, Column<Session>>> {
  const { workspaces } = useMe()
  const nameOf = (id: string) => workspaces.find(({ workspace_id }) => workspace_id === id)?.name ?? id
  return {
    scope: {
      id: 'scope',
      head: heads.scope,
      width: 170,
      phone: 'line',
      cell: ({ workspace_id: id }) => (id === null ? everywhere : nameOf(id)),
      text: ({ workspace_id: id }) => id ?? '',
    },
    created: {
      id: 'created',
      head: heads.created,
      width: 130,
      phone: 'hide',
      cell: ({ created_at: at }) => <Time at={at} />,
      text: ({ created_at: at }) => at,
    },
    used: {
      id: 'used',
      head: heads.used,
      width: 130,
      phone: 'line',
      cell: ({ last_used_at: at }) => <Time at={at} />,
      text: ({ last_used_at: at }) => at,
    },
    expires: {
      id: 'expires',
      head: heads.expires,
      width: 130,
      phone: 'hide',
      cell: ({ expires_at: at }) => <Time at={at} />,
      text: ({ expires_at: at }) => at,
    },
  }
}
