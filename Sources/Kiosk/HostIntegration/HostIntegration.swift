// SPDX-License-Identifier: Apache-2.0

// The kiosk's ties to its machine: its files, its configuration, the trust list, and the doctor's checks. This module
// knows neither the kiosk's flow nor the SDK nor any hardware: callers hand in such facts.
