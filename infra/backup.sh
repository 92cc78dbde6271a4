#!/bin/sh
# Dumps both databases into a new folder below the folder $1, while everything runs. Each dump is read back, and the folder gets its name
# (the time in UTC) only when it is complete. Then deletes older backups. Back up .env apart from it; see "Backups" in README.md.
#
#   BACKUP_RECIPIENT    public key of age (age1…) for which the dumps are encrypted; without it they are not
#   BACKUP_KEEP_DAYS    days after which a backup is deleted; default 14. The newest one stays
#   BACKUP_METRICS      file for the textfile collector of node_exporter; the alert OnwardBackupOld uses it
#   POSTGRES_RUN        what runs the programs of Postgres; default: docker compose exec -T postgres. Set it to env to run those of this machine
#   FUNCTIONS_DATABASE, INSIGHTS_DATABASE   connection strings of the databases, for a Postgres of your own
set -eu
umask 077
folder=${1:?usage: infra/backup.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."
run=${POSTGRES_RUN:-docker compose exec -T postgres}

name=$(date -u +%Y-%m-%dT%H%M%SZ)
new=$folder/$name.partial
mkdir "$new"
trap 'rm -rf "$new"' EXIT

# Insights last: an event that is in both dumps is counted once, and functions sends again what insights does not have.
dump() {
  $run pg_dump --format custom --dbname "$2" > "$new/$1.dump"
  $run pg_restore --list < "$new/$1.dump" | grep -q 'TABLE DATA' || { echo "the dump of $1 has no data" >&2; exit 1; }
  if [ -n "${BACKUP_RECIPIENT:-}" ]; then
    age --recipient "$BACKUP_RECIPIENT" --output "$new/$1.dump.age" "$new/$1.dump"
    rm "$new/$1.dump"
  fi
}
dump functions "${FUNCTIONS_DATABASE:-user=postgres dbname=functions}"
dump insights "${INSIGHTS_DATABASE:-user=postgres dbname=insights}"
(cd "$new" && sha256sum ./* > SHA256SUMS)
sync
mv "$new" "$folder/$name"

find "$folder" -mindepth 1 -maxdepth 1 -type d -name '????-??-??T??????Z*' ! -name "$name" -mtime "+${BACKUP_KEEP_DAYS:-14}" -exec rm -rf {} +

if [ -n "${BACKUP_METRICS:-}" ]; then
  cat > "$BACKUP_METRICS.new" <<END
# HELP onward_backup_seconds Time of the newest complete backup of both databases, in seconds since 1970.
# TYPE onward_backup_seconds gauge
onward_backup_seconds $(date +%s)
# HELP onward_backup_bytes Size of that backup.
# TYPE onward_backup_bytes gauge
onward_backup_bytes $(du -sb "$folder/$name" | cut -f 1)
END
  chmod 644 "$BACKUP_METRICS.new"
  mv "$BACKUP_METRICS.new" "$BACKUP_METRICS"
fi
echo "$folder/$name"
