# SPDX-License-Identifier: MIT
env -u HOME "$OTHERWISE" data list
