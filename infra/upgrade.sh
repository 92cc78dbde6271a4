#!/bin/sh
# Upgrades functions and insights to the checked-out version without refusing a call: starts new containers beside the old ones, and then
# stops the old ones. If it was interrupted, `docker compose up --detach` removes surplus containers.
set -eu
cd "$(dirname "$0")/.."

docker compose build
docker compose run --rm functions-migrate
docker compose run --rm insights-migrate

for service in insights functions; do
  old=$(docker compose ps --quiet "$service")
  count=$(docker compose ps --quiet "$service" | wc -l)
  docker compose up --detach --wait --no-deps --no-recreate --scale "$service=$((2 * count))" "$service"
  # The gateway looks up the addresses every 5 s.
  sleep 15
  docker stop $old
  docker rm $old
done
