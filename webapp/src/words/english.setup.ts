/** Before tests: functions that say something say it in English. */

import { speakEnglish } from "./english";

speakEnglish();
