import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { listOAuthClients, putOAuthClient, readCatalogApp } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Checkbox, Choice, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from './catalog.module.css'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { signIn: words } = CATALOG
/** As RFC 6749, section 3.3 has it. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Enters an OAuth client. The secret is in the state of this form only, until it is stored. */
export function OAuthClientForm({ app, appKey, onClose }: { app: AppDetail; appKey: string; onClose(): void }): ReactNode {
  const [clientId, setClientId] = useState(app.oauth_client?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [which, setWhich] = useState<'file' | 'own'>(app.oauth_client?.scopes == null ? 'file' : 'own')
  const [known, setKnown] = useState(app.scopes.map(({ name }) => name))
  const [asked, setAsked] = useState(app.scopes.filter((scope) => scope.asked).map(({ name }) => name))
  const [added, setAdded] = useState('')
  const [read] = useState(app.oauth_client)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const put = useChange(functions, putOAuthClient, { done: words.saved, refresh: [readCatalogApp, listOAuthClients] })
  // After a refusal, the dialog shows what is stored now, and saving again replaces exactly that.
  const clashes = put.error?.code === 'changed_since_read'
  const store = async () => {
    if (which === 'own' && asked.length === 0) return setProblem(words.noScope)
    const scopes = which === 'file' ? null : asked
    const { client_id = null, scopes: before = null } = (clashes ? app.oauth_client : read) ?? {}
    const body = { client_id: clientId.trim(), client_secret: secret, scopes, if_unchanged: { client_id, scopes: before } }
    if ((await put.run({ params: { app_key: appKey, app: app.name }, body })) !== undefined) onClose()
  }
  const add = () => {
    const scope = added.trim()
    if (!SCOPE.test(scope)) return setProblem(words.badScope)
    setProblem(undefined)
    setKnown([...new Set([...known, scope])])
    setAsked([...new Set([...asked, scope])])
    setAdded('')
  }
  const { fields, error } = put
  const wrong = [problem, fields.scopes].find((text) => text !== undefined)
  return (
    <FormDialog
      title={words.formTitle(app.title)}
      action={words.save}
      busy={put.running}
      submit={store}
      onClose={put.running ? () => {} : onClose}
    >
      <Field label={words.clientId} error={fields.client_id}>
        <Input mono required autoComplete="off" spellCheck={false} value={clientId} onChange={(event) => setClientId(event.target.value)} />
      </Field>
      <Field label={words.secret} help={app.oauth_client === null ? words.secretHelp : words.secretAgain} error={fields.client_secret}>
        <Input
          mono
          required
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      </Field>
      <fieldset className={styles.scopes}>
        <legend>{words.scopes}</legend>
        <p className={styles.note}>{words.scopesHelp}</p>
        <Choice
          label={words.whichScopes}
          value={which}
          choices={[
            { value: 'file', label: words.allScopes },
            { value: 'own', label: words.someScopes },
          ]}
          onChange={(value) => setWhich(value)}
        />
        {which === 'own' && (
          <>
            <div className={styles.scopeList}>
              {known.map((name) => (
                <Checkbox
                  key={name}
                  label={<code>{name}</code>}
                  checked={asked.includes(name)}
                  onChange={(event) => setAsked(event.target.checked ? [...asked, name] : asked.filter((one) => one !== name))}
                />
              ))}
            </div>
            <div className={styles.addScope}>
              <Input
                mono
                aria-label={words.addScope}
                placeholder={words.addScope}
                autoComplete="off"
                spellCheck={false}
                value={added}
                onChange={(event) => setAdded(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  add()
                }}
              />
              <Button onClick={add}>{words.add}</Button>
            </div>
          </>
        )}
        {wrong !== undefined && (
          <p className={styles.problem} role="alert">
            {wrong}
          </p>
        )}
      </fieldset>
      {clashes && (
        <Notice tone="warn" alert>
          {words.changed(app.oauth_client)}
        </Notice>
      )}
      {error !== undefined && !clashes && Object.keys(fields).length === 0 && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  )
}
