spec = obj.data.spec
hosts = spec.hosts
canaryService = obj.canaryService
for _, match in ipairs(obj.matches) do
    -- what is done with each match
end
return obj.data
