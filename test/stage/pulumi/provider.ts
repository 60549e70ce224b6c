/**
 * A stand-in for the providers of Pulumi, which are not to be had as sources. It takes every resource as it is: it knows no
 * schema and no defaults, and asks no cluster and no cloud.
 */
import { join } from 'node:path';
import { serve } from './serve';

const PROTOCOL = join(require.resolve('@pulumi/pulumi/package.json'), '..', 'proto');
const provider = require(join(PROTOCOL, 'provider_pb.js')) as typeof import('@pulumi/pulumi/proto/provider_pb');
const { ResourceProviderService } = require(
  join(PROTOCOL, 'provider_grpc_pb.js'),
) as typeof import('@pulumi/pulumi/proto/provider_grpc_pb');
const { PluginInfo } = require(join(PROTOCOL, 'plugin_pb.js')) as typeof import('@pulumi/pulumi/proto/plugin_pb');
const { Empty } =
  require('google-protobuf/google/protobuf/empty_pb') as typeof import('google-protobuf/google/protobuf/empty_pb');

const nothing = () => new Empty();

function check(request: import('@pulumi/pulumi/proto/provider_pb').CheckRequest) {
  const response = new provider.CheckResponse();
  response.setInputs(request.getNews());
  return response;
}

function diff() {
  const response = new provider.DiffResponse();
  response.setChanges(provider.DiffResponse.DiffChanges.DIFF_UNKNOWN);
  return response;
}

void serve(ResourceProviderService as never, {
  getPluginInfo: () => {
    const info = new PluginInfo();
    info.setVersion('1000.0.0');
    return info;
  },
  attach: nothing,
  cancel: nothing,
  checkConfig: check,
  diffConfig: diff,
  configure: () => {
    const response = new provider.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setAcceptresources(true);
    response.setAcceptoutputs(true);
    response.setSupportspreview(true);
    return response;
  },
  check,
  diff,
  create: (request: import('@pulumi/pulumi/proto/provider_pb').CreateRequest) => {
    const response = new provider.CreateResponse();
    response.setProperties(request.getProperties());
    if (!request.getPreview()) response.setId(request.getUrn());
    return response;
  },
  invoke: (request: import('@pulumi/pulumi/proto/provider_pb').InvokeRequest) => {
    const response = new provider.InvokeResponse();
    response.setReturn(request.getArgs());
    return response;
  },
});
