"""The log of the hub."""

from scorer.system.service_log import ServiceLog

write_log = ServiceLog("scorer hub")
