import type { ReactNode } from 'react'
import { functions } from '../api/doors.ts'
import { readAttention } from '../api/endpoints.ts'
import { useMe, useMenuWorkspaceId } from '../api/me.ts'
import { useRead } from '../api/queries.ts'
import { formatCapped } from '../text/format.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { useAppKey } from './application-filter.tsx'
import { PageLink, type Target } from './links.tsx'
import styles from './menu.module.css'
import { PAGES, type PageEntry } from './pages.ts'

const GROUPS = ['top', 'build', 'run', 'end'] as const

/** Returns the pages that the reader may open, each with its address. Pages without content are left out. */
export function useMenuPages(): readonly (PageEntry & { readonly target: Target })[] {
  const { operator } = useMe()
  const workspaceId = useMenuWorkspaceId()
  const appKey = useAppKey()
  return PAGES.filter(({ name, inMenu }) => inMenu && (name === 'system' ? operator : workspaceId !== '')).map((entry) => ({
    ...entry,
    // The playground chooses an application itself, and begins with this one.
    target: { page: entry.name, workspaceId, search: entry.filtered || entry.name === 'playground' ? { app_key: appKey } : {} },
  }))
}

const WAITING_EVERY_MS = 60_000
const MOST_WAITING = 99

/** How many calls of the workspace wait for an approval. */
function Waiting(): ReactNode {
  const query = { workspace_id: useMenuWorkspaceId() }
  const count = useRead(functions, readAttention, { query }, { every: WAITING_EVERY_MS }).data?.pending_approvals ?? 0
  if (count === 0) return null
  return (
    <span className={styles.count}>
      {formatCapped(count, MOST_WAITING)}
      <span className="hidden">{SHELL_WORDS.menu.waiting}</span>
    </span>
  )
}

/** The entries of all pages, in groups. */
export function MainMenu({ onFollow }: { onFollow?: () => void }): ReactNode {
  const shown = useMenuPages()
  const link = ({ name, icon: Icon, target }: (typeof shown)[number]) => (
    <li key={name}>
      <PageLink {...target} className={styles.entry} onClick={onFollow}>
        <Icon aria-hidden="true" />
        {SHELL_WORDS.menu[name]}
        {name === 'approvals' && <Waiting />}
      </PageLink>
    </li>
  )
  return (
    <nav aria-label={SHELL_WORDS.menu.name} className={styles.menu}>
      {GROUPS.map((group) => {
        const entries = shown.filter((entry) => entry.group === group)
        if (entries.length === 0) return null
        return (
          <div key={group}>
            {(group === 'build' || group === 'run') && (
              <p id={`menu-${group}`} className={styles.name}>
                {SHELL_WORDS.menu[group]}
              </p>
            )}
            <ul aria-labelledby={group === 'build' || group === 'run' ? `menu-${group}` : undefined}>{entries.map(link)}</ul>
          </div>
        )
      })}
    </nav>
  )
}
