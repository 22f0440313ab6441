-- For wrk: creates helm repositories, each under a name of its own. Arguments: the number to begin with.
local number = 0

function init(arguments)
  number = tonumber(arguments[1])
end

function request()
  number = number + 1
  local body = string.format('{"name":"charts-%d","kind":"OCI_GENERIC_CR","url":"oci://registry.example.com/charts",' ..
    '"skip_tls_verification":false,"description":"Charts of the shop","config":{"username":"deployer","password":"s3cret"}}', number)
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, body)
end
