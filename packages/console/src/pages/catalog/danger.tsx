import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { deleteImportedApp, listCatalog } from '../../api/endpoints.ts'
import { useMe } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useGo } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { SHELL_WORDS } from '../../text/shell-words.ts'
import { Button } from '../../ui/button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Card } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './catalog.module.css'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { danger: words } = CATALOG

/** Replaces or deletes an imported app. For operators, because it is there for all workspaces. */
export function Danger({ app }: { app: AppDetail }): ReactNode {
  const { operator } = useMe()
  const go = useGo()
  const refreshList = useRefreshList()
  const remove = useChange(functions, deleteImportedApp, { done: words.deleted(app.title), refresh: [listCatalog] })
  const why = operator ? undefined : SHELL_WORDS.needsRole('operator')
  const accounts = formatCount(app.connected_accounts, CATALOG.signIn.accounts.one, CATALOG.signIn.accounts.other)
  return (
    <Group title={words.title} about={words.about}>
      <Card>
        <div className={styles.danger}>
          <p>{words.replaceAbout}</p>
          <Button why={why} onClick={() => go({ page: 'catalog', path: '_import', search: { replace: app.name } })}>
            {words.replace}
          </Button>
          <p>{words.deleteAbout}</p>
          <DangerButton
            why={why}
            title={words.deleteTitle(app.title)}
            names={words.deleteNames(app.title)}
            loses={[
              formatCount(app.functions.length, words.fn.one, words.fn.other),
              ...(app.connected_accounts > 0 ? [words.losesAccounts(accounts)] : []),
            ]}
            typed={app.name}
            action={words.delete}
            error={remove.error?.message}
            run={async () => {
              const done = await remove.run({ params: { name: app.name } })
              if (done === undefined) return false
              refreshList('catalog')
              go({ page: 'catalog' }, 'replace')
              return true
            }}
          />
        </div>
      </Card>
    </Group>
  )
}
