import { type ReactNode, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { listOwnAccounts, narrowMcpToken } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Choice } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import type { AgentRow } from './agent-columns.tsx'
import styles from './agents.module.css'
import { WORDS } from './words.ts'

const { narrow: words } = WORDS

/** Takes a part of the access away. */
export function Narrow({ agent }: { agent: AgentRow }): ReactNode {
  const { why } = useMay('developer')
  const [open, setOpen] = useState(false)
  return (
    <Group title={words.title} about={words.about}>
      <Row>
        <Button why={why} onClick={() => setOpen(true)}>
          {words.button}
        </Button>
      </Row>
      {open && <NarrowDialog agent={agent} onClose={() => setOpen(false)} />}
    </Group>
  )
}

function NarrowDialog({ agent, onClose }: { agent: AgentRow; onClose(): void }): ReactNode {
  const { id, app_key: appKey, user_id: user, name, apps, functions, read_only: isReadOnly } = agent
  const door = areaA(appKey, user)
  const accounts = useRead(door, listOwnAccounts, { body: {} }, { enabled: apps === null })
  const connected = [...new Set((accounts.data?.connected_accounts ?? []).map(({ app }) => app))]
  const offeredApps = apps ?? connected
  const [isWhole, setWhole] = useState(apps === null)
  const [withoutApps, setWithoutApps] = useState<readonly string[]>([])
  const [withoutFunctions, setWithoutFunctions] = useState<readonly string[]>([])
  const [readOnly, setReadOnly] = useState(isReadOnly)
  const change = useChange(door, narrowMcpToken, { done: words.done, refresh: [] })
  const refreshList = useRefreshList()

  const keptApps = offeredApps.filter((app) => !withoutApps.includes(app))
  const keptFunctions = functions?.filter((fn) => !withoutFunctions.includes(fn))
  const takesApps = apps === null ? !isWhole : withoutApps.length > 0
  const why =
    takesApps && keptApps.length === 0
      ? words.chooseApp
      : keptFunctions?.length === 0
        ? words.chooseFunction
        : takesApps || withoutFunctions.length > 0 || readOnly !== isReadOnly
          ? undefined
          : words.nothing
  const store = async () => {
    const body = {
      ...(takesApps && { apps: keptApps }),
      ...(withoutFunctions.length > 0 && { functions: keptFunctions }),
      ...(readOnly !== isReadOnly && { read_only: true }),
    }
    if ((await change.run({ params: { id }, body })) === undefined) return
    refreshList('agents')
    onClose()
  }
  return (
    <FormDialog title={words.dialog(name)} action={words.save} busy={change.running} why={why} submit={store} onClose={onClose}>
      <fieldset className={styles.group}>
        <legend>{words.whichApps}</legend>
        {apps === null && (
          <Choice
            label={words.whichApps}
            value={isWhole ? 'all' : 'some'}
            choices={[
              { value: 'all', label: words.all },
              { value: 'some', label: words.some },
            ]}
            onChange={(value) => setWhole(value === 'all')}
          />
        )}
        {isWhole && <p className={styles.help}>{words.allHelp}</p>}
        {!isWhole && offeredApps.length === 0 && accounts.data !== undefined && <p className={styles.help}>{words.noApps}</p>}
        {!isWhole && <Boxes names={offeredApps} without={withoutApps} onChange={setWithoutApps} />}
      </fieldset>
      {functions !== null && (
        <fieldset className={styles.group}>
          <legend>{words.functions}</legend>
          <Boxes names={functions} without={withoutFunctions} onChange={setWithoutFunctions} />
        </fieldset>
      )}
      <Checkbox
        label={words.readOnly}
        help={isReadOnly ? words.alreadyReadOnly : words.readOnlyHelp}
        checked={readOnly}
        disabled={isReadOnly}
        onChange={(event) => setReadOnly(event.target.checked)}
      />
      <ChangeError error={change.error} />
    </FormDialog>
  )
}

type BoxesProps = { names: readonly string[]; without: readonly string[]; onChange(without: readonly string[]): void }

function Boxes({ names, without, onChange }: BoxesProps): ReactNode {
  return (
    <div className={styles.boxes}>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={name}
          checked={!without.includes(name)}
          onChange={(event) => onChange(event.target.checked ? without.filter((one) => one !== name) : [...without, name])}
        />
      ))}
    </div>
  )
}
