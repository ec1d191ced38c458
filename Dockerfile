# An image with the programs, jq and the example site:  docker build -t wpipe . && docker run --rm -v "$PWD:/data" wpipe wpipe dump/ -d dataset/
FROM rust:1.88-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make
COPY . /wpipe
RUN cd /wpipe && make tarball TARBALL=/ && mkdir /unpacked && tar -xzf /wpipe-*.tar.gz --strip-components=1 -C /unpacked

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends jq && rm -rf /var/lib/apt/lists/*
COPY --from=build /unpacked /usr/local
WORKDIR /data
CMD ["wpipe", "--help"]
