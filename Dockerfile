# API and worker in one image, without root; only /var/lib/saegim and /tmp are writable.
# Releases pin the base image by digest: .github/workflows/release.yml.
ARG PYTHON_IMAGE=python:3.12-slim-bookworm
FROM ${PYTHON_IMAGE} AS build
COPY deploy/uv.txt /tmp/uv.txt
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/uv.txt
WORKDIR /src
COPY . .
RUN deploy/install.sh /opt/saegim

FROM ${PYTHON_IMAGE}
RUN useradd --system --uid 10001 --home-dir /var/lib/saegim --shell /usr/sbin/nologin saegim \
    && install --directory --owner=10001 --group=10001 /var/lib/saegim
COPY --from=build /opt/saegim /opt/saegim
ENV PATH=/opt/saegim/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    OPENBLAS_NUM_THREADS=1 \
    SAEGIM_DATA=/var/lib/saegim \
    SAEGIM_HOST=0.0.0.0
USER 10001:10001
WORKDIR /var/lib/saegim
VOLUME /var/lib/saegim
EXPOSE 8000 9100
# The shell itself asks: an interpreter would take seconds of a busy machine every time.
HEALTHCHECK --interval=10s --timeout=10s --start-period=180s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SAEGIM_PORT:-8000} && printf 'GET /health/live HTTP/1.0\r\n\r\n' >&3 && read -r -t 8 line <&3 && [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["saegim"]
CMD ["serve"]
