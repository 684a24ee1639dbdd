return Emu.Hosting.ServiceCommand.Run<Emu.Services.Memcached>(args);
