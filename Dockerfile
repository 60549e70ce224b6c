# The command line in an image. docs/tools.md explains each step, and a test holds them against this repository.
ARG NODE_VERSION=22.16.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /src
# The packages first: this layer is built again only when the lock file changes.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/set-up.mjs --build \
    && npm pack --ignore-scripts --pack-destination /tmp

FROM node:${NODE_VERSION}-bookworm-slim
COPY --from=build /tmp/rollout-constructs-*.tgz /tmp/
# Without the peers for cdk8s and Pulumi, which the command line does not load; with the client for a live cluster.
RUN npm install --global --ignore-scripts --legacy-peer-deps \
      /tmp/rollout-constructs-*.tgz @kubernetes/client-node@1.4.0 \
    && npm cache clean --force \
    && rm /tmp/rollout-constructs-*.tgz
# The user "node", by its number for hosts that do not know the name.
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["rollout-constructs"]
CMD ["--help"]
