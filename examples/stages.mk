# The five programs as five targets: make runs those with newer inputs. From the directory of the inputs:
#   make -f stages.mk DUMP=dump SCRAPE=scrape FLAGS='--max-rejects 1'
DUMP = examples/site/dump
SCRAPE = examples/site/scrape
# Files of a mirror can have names that make cannot read: name one file here that changes with it.
STAMP =
FLAGS =
OUT = build

# A program with rejects ends with 1 after it has written its whole -o file. Without this line, the next make would go on with that.
.DELETE_ON_ERROR:
.PHONY: dataset
dataset: $(OUT)/dataset/manifest.json

$(OUT)/items.zst: $(wildcard $(DUMP)/*) $(STAMP)
	mkdir -p $(OUT)
	wp-index --end $(DUMP) --scrape $(SCRAPE) $(FLAGS) -o $@
$(OUT)/records.zst: $(OUT)/items.zst
	wp-parse $(FLAGS) $< -o $@
$(OUT)/translated.zst: $(OUT)/records.zst
	wp-translations $(FLAGS) $< -o $@
$(OUT)/resolved.zst: $(OUT)/translated.zst
	wp-resolve $(FLAGS) $< -o $@
$(OUT)/dataset/manifest.json: $(OUT)/resolved.zst
	wp-export --expect-end $(FLAGS) -d $(OUT)/dataset $<
