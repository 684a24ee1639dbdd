return Emu.Hosting.ServiceCommand.Run<Emu.Services.LruCache>(args);
