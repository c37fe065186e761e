# The menu: make help
.DEFAULT_GOAL := help
.PHONY: help demo test test-crash e2e e2e-operator test-gateway test-dns test-pipelines test-release build image release lint generate bench fuzz

VERSION ?= $(or $(shell git describe --tags --always --dirty 2>/dev/null),devel)
FUZZTIME ?= 1m
BENCH_BASE ?= HEAD~1
READBACK_IMAGE ?=
OPERATOR_SRC ?= $(wildcard ../shared/operator/valkey-operator-v0.5.0.tar.gz)
DEMO_IMAGE := registry.example.com/valkey-readback:v0.1.0

help: ## Show this menu
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 16

demo: ## Render examples/cluster.yaml; where clients reach each node goes to stderr
	@go run ./cmd/valkey-expose render -f examples/cluster.yaml --readback-image $(DEMO_IMAGE)
	@go run ./cmd/valkey-expose endpoints -f examples/cluster.yaml >&2

test: ## Run the tests; needs nothing but Go
	go test ./...
	cd image && go test ./...

test-crash: ## Kill and fail a render at every call that changes a name; Linux, strace
	go test -count=1 -tags crash -run 'AtEveryCall|AtOnce' ./cmd/valkey-expose

e2e: ## Prove the manifests on real Kubernetes and Valkey; Linux, root, apt; docs/testing.md
	cd e2e && go test -count=1 -timeout 30m -p 1 -parallel 6 -v ./...

e2e-operator: ## Prove the same on a real valkey-operator; OPERATOR_SRC: its sources, a clone or an archive
	cd e2e && OPERATOR_SRC="$(abspath $(OPERATOR_SRC))" go test -count=1 -timeout 40m -parallel 5 -v -tags operator -run TestOperator .

test-gateway: ## Prove gateway mode on a real Gateway; builds Traefik, minutes the first time
	cd e2e && go test -count=1 -timeout 60m -v -tags gateway -run TestGateway .

test-dns: ## Prove split horizon on the real CoreDNS; builds it and Traefik, minutes the first time
	cd e2e && go test -count=1 -timeout 60m -v -tags dns -run TestSplitHorizon .

test-pipelines: ## Prove the examples on real Helm and Flux; builds both, minutes the first time
	cd e2e && go test -count=1 -timeout 60m -v -tags pipelines -run 'TestHelm|TestFluxApplies' .

test-release: ## Build a release twice, install and run what is in it; Linux, skopeo; minutes the first time
	cd release && go test -count=1 -timeout 60m -v ./...

build: ## Build bin/valkey-expose (VERSION, READBACK_IMAGE: the Job's default image)
	go build -trimpath -ldflags "-s -w -X main.version=$(VERSION) -X main.readbackImage=$(READBACK_IMAGE)" -o bin/ ./cmd/valkey-expose

image: ## Build bin/valkey-readback.tar, the Job's image as an OCI archive (VERSION, READBACK_IMAGE)
	@mkdir -p bin
	cd image && go run . -o ../bin/valkey-readback.tar -version $(VERSION) -name $(or $(READBACK_IMAGE),valkey-readback:$(VERSION)) -readback-image "$(READBACK_IMAGE)"

release: ## Build bin/VERSION/, all that a release has: make release VERSION=v0.1.0 (READBACK_IMAGE: where its image will be)
	cd release && go run . -version "$(VERSION)" -readback-image $(or $(READBACK_IMAGE),ghcr.io/valkey-expose/valkey-readback:$(VERSION)) -o $(or $(RELEASE_DIR),../bin/$(VERSION))

lint: ## Check form: gofmt, go vet, staticcheck, go.mod
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	go vet ./... && go vet -tags crash ./cmd/... && go vet -tags man ./cmd/...
	go tool staticcheck ./...
	go mod tidy -diff
	cd image && go vet ./... && go tool -modfile=../go.mod staticcheck ./... && go mod tidy -diff
	cd release && go vet ./... && go tool -modfile=../go.mod staticcheck ./... && go mod tidy -diff
	cd e2e && go vet ./... && go vet -tags gateway . && go vet -tags dns . && go vet -tags pipelines . && go vet -tags operator . && go tool -modfile=../go.mod staticcheck ./... && go mod tidy -diff

generate: ## Write schema/, the reference, golden files and expected messages anew
	go run ./generate
	UPDATE=1 go test ./cue ./golden ./cmd/...

bench: ## Time the program for 3, 100 and 1000 shards beside that of a commit (BENCH_BASE)
	go run ./bench -base $(BENCH_BASE)

fuzz: ## Fuzz vet, render and the writing of YAML for a minute each (FUZZTIME)
	go test ./cmd/valkey-expose -run '^$$' -fuzz FuzzCheck -fuzztime $(FUZZTIME) -fuzzminimizetime 5x
	go test ./cmd/valkey-expose -run '^$$' -fuzz FuzzRender -fuzztime $(FUZZTIME) -fuzzminimizetime 5x
	go test ./manifest -run '^$$' -fuzz FuzzPlain -fuzztime $(FUZZTIME)
