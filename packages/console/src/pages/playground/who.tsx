import { type ReactNode, useState } from 'react'
import { areaB, functions } from '../../api/doors.ts'
import { listConnectedAccounts, listUserTasks } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { WORDS } from '../../text/words.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Field, Select } from '../../ui/field.tsx'
import styles from './playground.module.css'
import { PLAY } from './words.ts'

const MOST = 20
/** Browsers remove these from addresses, so that no user can have them as id. */
const DOTS = ['.', '..']

type WhoProps = {
  applications: readonly { readonly app_key: string; readonly name: string }[]
  appKey: string
  user: string
  onApplication(appKey: string): void
  onUser(user: string): void
}

/** Chooses the application and the user. */
export function Who({ applications, appKey, user, onApplication, onUser }: WhoProps): ReactNode {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [search, setSearch] = useState<string | undefined>(undefined)
  const options = useUsers(appKey, search)
  return (
    <div className={styles.pair}>
      <Field label={PLAY.application}>
        <Select
          value={appKey}
          unchosen={WORDS.applications.choose}
          options={applications.map(({ app_key, name }) => [app_key, name])}
          onChange={(event) => onApplication(event.target.value)}
        >
          {appKey !== '' && applications.every(({ app_key }) => app_key !== appKey) && <option value={appKey}>{appKey}</option>}
        </Select>
      </Field>
      <Field label={PLAY.user} help={PLAY.userHelp} error={problem}>
        <Combobox
          free
          shown={user}
          options={options.ids.map((id) => ({ value: id, label: id }))}
          loading={options.loading}
          none={PLAY.noUsers}
          placeholder={PLAY.userExample}
          onSearch={setSearch}
          onChoose={(id) => {
            setProblem(DOTS.includes(id) ? PLAY.userDots : undefined)
            if (!DOTS.includes(id)) onUser(id)
          }}
        />
      </Field>
    </div>
  )
}

/** Returns the users with tasks, a limit or an account whose ids contain the text. */
function useUsers(appKey: string, search: string | undefined): { readonly ids: readonly string[]; readonly loading: boolean } {
  const enabled = search !== undefined && appKey !== ''
  const text = search ?? ''
  const counted = useRead(
    areaB(useWorkspaceId()),
    listUserTasks,
    { query: { app_key: appKey, page_size: MOST, ...(text !== '' && { search: text }) } },
    { enabled },
  )
  const connected = useRead(functions, listConnectedAccounts, { params: { app_key: appKey }, query: { page_size: 100 } }, { enabled })
  const users = counted.data === undefined || Array.isArray(counted.data) ? [] : counted.data.users
  const found = [
    ...(connected.data?.connected_accounts ?? [])
      .map(({ user_id }) => user_id)
      .filter((id) => id.toLowerCase().includes(text.toLowerCase())),
    ...users.map(({ user_id }) => user_id),
  ]
  return { ids: [...new Set(found)].slice(0, MOST), loading: counted.loading || connected.loading }
}
