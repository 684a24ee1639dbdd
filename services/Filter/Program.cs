return Emu.Hosting.ServiceCommand.Run<Emu.Services.Filter>(args);
