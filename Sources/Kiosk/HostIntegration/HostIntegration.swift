// SPDX-License-Identifier: Apache-2.0

// The kiosk's ties to its machine: its files, its configuration, the trust list, and the doctor's checks. Of the
// modules that it configures it uses the types of their settings. Callers hand in all facts about flow, SDK and hardware.
