# syntax=docker/dockerfile:1

# The page, built once.
FROM node:22-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
# not npm ci: the lock file leaves out what npm has for other platforms only
RUN npm install --no-save --no-audit --no-fund
COPY web/ ./
RUN npm run build

# The package with all it needs, in an environment of its own.
FROM python:3.12-slim AS package
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/likewise
WORKDIR /build
# Exact versions, whose files have the hashes that they had: a build is what it was.
COPY requirements/ requirements/
RUN /opt/likewise/bin/pip install --require-hashes -r requirements/build.txt \
 && /opt/likewise/bin/pip install --require-hashes -r requirements/container.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY web/ web/
COPY src/ src/
COPY --from=page /build/src/likewise/server/static/ src/likewise/server/static/
# newer than its sources, so that it is not built again
RUN touch src/likewise/server/static/index.html \
 && /opt/likewise/bin/pip install --no-deps --no-build-isolation .

FROM python:3.12-slim
RUN useradd --uid 1000 --create-home --shell /usr/sbin/nologin likewise \
 && install -d -o likewise -g likewise /project /var/cache/likewise
COPY --from=package /opt/likewise /opt/likewise
ENV PATH=/opt/likewise/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    LIKEWISE_CACHE=/var/cache/likewise \
    NUMBA_CACHE_DIR=/var/cache/likewise/kernels
USER likewise
# Pictures are only read; everything else is kept in the project folder.
VOLUME ["/project", "/var/cache/likewise"]
EXPOSE 8117
# Reading pictures and clustering have processes of their own: the page answers whatever they do.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8117/', timeout=4)"]
STOPSIGNAL SIGINT
# Without LIKEWISE_TOKEN or --token-file it refuses to listen on an address that others can reach.
ENTRYPOINT ["likewise", "serve", "/pictures", "--project", "/project", "--host", "0.0.0.0", "--no-browser"]
