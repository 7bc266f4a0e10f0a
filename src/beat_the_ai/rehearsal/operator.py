"""The operator of a rehearsal, as a program: `python -m beat_the_ai.rehearsal.operator SETTINGS_FILE`."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

from beat_the_ai.process.gc_control import importing

with importing():
    from beat_the_ai.campaign.service.running import running
    from beat_the_ai.campaign.service.serving import serve_to_the_end
    from beat_the_ai.campaign.settings.configuration import Settings
    from beat_the_ai.campaign.settings.partition import Partition
    from beat_the_ai.errors import BeatTheAIError
    from beat_the_ai.process.parent_death import announce, end_with_the_starter, keep_standard_output
    from beat_the_ai.rules.stage import Stage

log = logging.getLogger(__name__)


def main() -> None:
    keep_standard_output()  # a task may print what it likes
    end_with_the_starter()
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    settings = Settings.model_validate(given["settings"])
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s operator %(levelname)s %(message)s", force=True)
    stage, share, key = Stage(given["stage"]), Partition.read(given["share"]), given["pseudonym_key"]
    try:
        with running(settings, page_dir=None, stage=stage, pseudonym_key=key, share=share) as campaign:
            announce({"url": campaign.url, "model_server": campaign.model_server_pid})
            serve_to_the_end(campaign, settings.crowd.check_seconds)
    except BeatTheAIError as error:
        log.error("%s", error)  # where it served already, nobody reads the next line
        announce({"error": str(error)})
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()
