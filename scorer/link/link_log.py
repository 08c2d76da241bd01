"""The log of the link."""

from scorer.system.service_log import ServiceLog

write_log = ServiceLog("scorer link")
