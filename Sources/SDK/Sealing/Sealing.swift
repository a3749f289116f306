// SPDX-License-Identifier: Apache-2.0

// Bytes that only the holder of a key can read or write. This module knows neither their meaning nor their storage.
