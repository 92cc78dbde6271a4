import { type ReactNode, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { listFunctions } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { AppLogo } from '../../parts/app-logo.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { isFunction } from './is-function.ts'
import { PLAY } from './words.ts'

const MOST = 30
/** Functions can be listed before a user is chosen. The list is the same for all. */
const ANYBODY = 'anybody'

type ChooseProps = { appKey: string; user: string; fn: string; hasAccounts: boolean; onChoose(fn: string): void }

/** Searches a function by name, title and description. Without a text, offers the functions of the user's connected apps. */
export function ChooseFunction({ appKey, user, fn, hasAccounts, onChoose }: ChooseProps): ReactNode {
  const [search, setSearch] = useState<string | undefined>(undefined)
  const text = search ?? ''
  const { data, loading } = useRead(
    areaA(appKey, user === '' ? ANYBODY : user),
    listFunctions,
    { query: text === '' && hasAccounts ? { connected_only: true } : {}, body: { page_size: MOST, ...(text !== '' && { search: text }) } },
    { enabled: search !== undefined && appKey !== '' },
  )
  const found = (data?.functions ?? []).filter(isFunction)
  return (
    <Field label={PLAY.fn} help={PLAY.connectedFirst}>
      <Combobox
        mono
        shown={fn}
        options={found.map(({ name, title, app, description }) => ({
          value: name,
          label: name,
          note: `${title}. ${description}`,
          icon: <AppLogo app={app} />,
        }))}
        loading={loading}
        none={PLAY.noFunctions}
        placeholder={PLAY.fnExample}
        onSearch={setSearch}
        onChoose={onChoose}
      />
    </Field>
  )
}
